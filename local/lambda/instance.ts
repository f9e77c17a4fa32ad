import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { FunctionError } from './function-error.ts';
import { type RuntimeApi, startRuntimeApi } from './runtime-api.ts';

const runtimeClient = fileURLToPath(import.meta.resolve('aws-lambda-ric'));
const rapidClient = join(import.meta.dirname, 'rapid-client.cjs');

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
  const { functionArn, timeoutSeconds, initSeconds = 10, log } = options;
  const api = await startRuntimeApi();
  const child = startProcess(options, api.address);

  let requestId = '-';
  /** Why the local run has killed the process; empty if it needs no explanation. */
  let killedBecause: string | undefined;
  const kill = (reason: string) => {
    killedBecause = reason;
    child.kill('SIGKILL');
  };
  const ended = (reason: string) => {
    if (reason !== '') {
      log(`RequestId: ${requestId} Error: ${reason}`);
    }
    api.close(new FunctionError(reason));
  };
  child.once('exit', (code, signal) => ended(killedBecause ?? exitReason(code, signal)));
  child.once('error', ({ message }) => ended(message));

  /** Kills the process if it is not idle in time. */
  const limitTime = (what: string, seconds: number) => {
    const reason = `${what} timed out after ${seconds.toFixed(2)} seconds`;
    const timer = setTimeout(() => kill(reason), seconds * 1000);
    const clear = () => clearTimeout(timer);
    api.idle().then(clear, clear);
  };
  limitTime('Init', initSeconds);

  return {
    process: child,
    idle: api.idle,
    invoke: (event) => {
      requestId = randomUUID();
      const result = api.invoke({
        requestId,
        headers: {
          'Lambda-Runtime-Deadline-Ms': Date.now() + timeoutSeconds * 1000,
          'Lambda-Runtime-Invoked-Function-Arn': functionArn,
        },
        event,
      });
      limitTime('Task', timeoutSeconds);
      return result;
    },
    end: () => kill(''),
  };
};

/** Starts the runtime client, which asks the Runtime API at this address for invocations. */
const startProcess = (options: InstanceOptions, runtimeApi: string): ChildProcess => {
  const { functionArn, environment, log, execArgv = [] } = options;
  // The argument only shows in `ps` which function a process runs; bench/load.ts reads it there.
  const child = fork(runtimeClient, [functionArn], {
    env: {
      AWS_LAMBDA_FUNCTION_NAME: 'function',
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_LAMBDA_LOG_GROUP_NAME: 'local',
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      ...environment,
      AWS_LAMBDA_RUNTIME_API: runtimeApi,
    },
    execArgv: [...execArgv, '--require', rapidClient],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  eachLine(child.stdout, log);
  eachLine(child.stderr, log);
  return child;
};

/** Returns why a process has ended on its own, in Lambda's words. */
const exitReason = (code: number | null, signal: NodeJS.Signals | null): string => {
  if (code === 0) {
    return 'Runtime exited without providing a reason';
  }
  return `Runtime exited with error: ${signal ?? `exit status ${code}`}`;
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
  output?.on('end', () => {
    if (rest !== '') {
      take(rest);
    }
  });
};
