import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { FunctionError } from './function-error.ts';
import { type RuntimeApi, startRuntimeApi } from './runtime-api.ts';

const runtimeClient = fileURLToPath(import.meta.resolve('aws-lambda-ric'));

export interface InstanceOptions {
  functionArn: string;
  /** `_HANDLER`, `LAMBDA_TASK_ROOT` and the function's own variables. */
  environment: NodeJS.ProcessEnv;
  timeoutSeconds: number;
  /** Seconds until init times out; 10 by default, as on Lambda. */
  initSeconds?: number;
  /** Called with each line that the process prints. */
  log: (line: string) => void;
  /** Command-line options for Node. */
  execArgv?: string[];
}

/** A process that runs a function in AWS's own runtime client, one invocation at a time. */
export interface Instance extends Pick<RuntimeApi, 'idle'> {
  process: ChildProcess;
  /**
   * Invokes the function. The instance must be idle. Resolves and rejects like `invoke` of
   * RuntimeApi.
   */
  invoke(event: string): Promise<Readable>;
  end(): void;
}

export const startInstance = async (options: InstanceOptions): Promise<Instance> => {
  const {
    functionArn,
    environment,
    timeoutSeconds,
    initSeconds = 10,
    log,
    execArgv = [],
  } = options;
  const api = await startRuntimeApi();
  // The argument only shows in `ps` which function a process runs; bench/load.ts reads it there.
  const child = fork(runtimeClient, [functionArn], {
    env: {
      AWS_LAMBDA_FUNCTION_NAME: 'function',
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_LAMBDA_LOG_GROUP_NAME: 'local',
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      ...environment,
      AWS_LAMBDA_RUNTIME_API: api.address,
    },
    execArgv: [...execArgv, '--require', join(import.meta.dirname, 'rapid-client.cjs')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  eachLine(child.stdout, log);
  eachLine(child.stderr, log);

  let requestId = '-';
  let endReason: string | undefined;
  const fail = (reason: string) => {
    if (reason !== '') {
      log(`RequestId: ${requestId} Error: ${reason}`);
    }
    api.close(new FunctionError(reason));
  };
  child.once('exit', (code, signal) => {
    const status = signal ?? `exit status ${code}`;
    fail(
      endReason ??
        `Runtime exited ${code === 0 ? 'without providing a reason' : `with error: ${status}`}`,
    );
  });
  child.once('error', ({ message }) => fail(message));
  const end = (reason: string) => {
    endReason = reason;
    child.kill('SIGKILL');
  };
  const endUnlessIdle = (what: string, seconds: number) => {
    const timer = setTimeout(
      end,
      seconds * 1000,
      `${what} timed out after ${seconds.toFixed(2)} seconds`,
    );
    const clear = () => clearTimeout(timer);
    api.idle().then(clear, clear);
  };
  endUnlessIdle('Init', initSeconds);

  return {
    process: child,
    idle: api.idle,
    invoke: (event) => {
      requestId = randomUUID();
      const headers = {
        'Lambda-Runtime-Deadline-Ms': Date.now() + timeoutSeconds * 1000,
        'Lambda-Runtime-Invoked-Function-Arn': functionArn,
      };
      const result = api.invoke(requestId, headers, event);
      endUnlessIdle('Task', timeoutSeconds);
      return result;
    },
    end: () => end(''),
  };
};

/**
 * Passes on each line. node:readline splits at more than line feeds. Output is null if no process
 * started.
 */
const eachLine = (output: Readable | null, take: (line: string) => void): void => {
  let rest = '';
  output?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      take(line);
    }
  });
  output?.on('end', () => rest && take(rest));
};
