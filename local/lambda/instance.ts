import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { FunctionError } from './function-error.ts';
import { startRuntimeApi } from './runtime-api.ts';

const runtimeClient = fileURLToPath(import.meta.resolve('aws-lambda-ric'));

/** Milliseconds that Lambda gives a function to load. */
const initTimeout = 10_000;

export interface InstanceOptions {
  functionArn: string;
  /** `_HANDLER`, `LAMBDA_TASK_ROOT` and the function's own variables. */
  environment: NodeJS.ProcessEnv;
  timeoutSeconds: number;
  /** Takes each line that the process prints. */
  log: (line: string) => void;
  /** Options of Node. */
  execArgv?: string[];
}

/** A process that runs a function in AWS's own runtime client, one invocation at a time. */
export interface Instance {
  process: ChildProcess;
  /**
   * Waits until it can be invoked, again and again.
   * @throws FunctionError it failed at init, or its process ended
   */
  idle(): Promise<void>;
  /**
   * Invokes it when it is idle, and waits for the first of its result.
   * @param event JSON
   * @throws FunctionError
   */
  invoke(event: string): Promise<Readable>;
  end(): void;
}

export const startInstance = async (options: InstanceOptions): Promise<Instance> => {
  const { functionArn, environment, timeoutSeconds, log, execArgv = [] } = options;
  const api = await startRuntimeApi();
  // The argument is for those who look at the processes.
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
  eachLine(child.stdout as Readable, log);
  eachLine(child.stderr as Readable, log);

  let endedFor: string | undefined;
  let invoked: string | undefined;
  const end = (reason: string) => {
    endedFor = reason;
    child.kill('SIGKILL');
  };
  child.once('exit', (code) => {
    const reason =
      endedFor ??
      (code ? `Runtime exited with error: exit status ${code}` : 'Runtime exited without providing a reason');
    if (reason !== stopped) {
      log(`${invoked === undefined ? '' : `RequestId: ${invoked} `}Error: ${reason}`);
    }
    api.close(new FunctionError(reason));
  });
  const endUnlessIdle = (milliseconds: number, reason: string) => {
    const timer = setTimeout(end, milliseconds, reason);
    api.idle().then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  };
  endUnlessIdle(initTimeout, `Init timed out after ${initTimeout / 1000} seconds`);

  return {
    process: child,
    idle: api.idle,
    invoke: (event) => {
      invoked = randomUUID();
      const milliseconds = timeoutSeconds * 1000;
      const result = api.invoke({ requestId: invoked, functionArn, deadline: Date.now() + milliseconds, event });
      endUnlessIdle(milliseconds, `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`);
      return result;
    },
    end: () => end(stopped),
  };
};

const stopped = 'The instance was stopped.';

/** Not node:readline, which takes more than a line feed for the end of a line. */
const eachLine = (output: Readable, take: (line: string) => void): void => {
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  });
  output.on('end', () => rest && take(rest));
};
