import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { accountId, region } from '../shared/account.ts';
import { type RuntimeApi, startRuntimeApi } from './runtime-api.ts';

const runtimeClient = fileURLToPath(import.meta.resolve('aws-lambda-ric'));
const rapidClient = join(import.meta.dirname, 'rapid-client.cjs');

/** Lambda's limit for init, in seconds. */
const initLimit = 10;

/** How long a function with a debugger may take, in seconds. */
export const aDay = 86_400;

export interface InstanceOptions {
  /** Shows in `ps` which function a process runs. */
  name: string;
  environment: NodeJS.ProcessEnv;
  timeoutSeconds: number;
  /** Called with each line that the process prints. */
  log: (line: string) => void;
  /** The port at which debuggers attach. */
  inspectPort?: number | undefined;
  /** More command-line options for Node. */
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
  const { name, inspectPort, log } = options;
  const [initSeconds, timeoutSeconds] =
    inspectPort === undefined ? [initLimit, options.timeoutSeconds] : [aDay, aDay];
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
    api.close(new Error(reason));
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
          'Lambda-Runtime-Invoked-Function-Arn': `arn:aws:lambda:${region}:${accountId}:function:${name}`,
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
  const { name, environment, inspectPort, execArgv = [], log } = options;
  const inspect = inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  const child = fork(runtimeClient, [name], {
    env: { ...environment, AWS_LAMBDA_RUNTIME_API: runtimeApi },
    execArgv: [...inspect, ...execArgv, '--require', rapidClient],
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
