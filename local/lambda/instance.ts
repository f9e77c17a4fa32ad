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

export interface InstanceOptions {
  /** Shows in `ps` which function a process runs. */
  name: string;
  environment: NodeJS.ProcessEnv;
  timeoutSeconds: number;
  /** Called with each line that the process prints. */
  log: (line: string) => void;
  /** More command-line options for Node. */
  execArgv?: string[];
}

/** A process that runs a function in AWS's own runtime client, one invocation at a time. */
export class Instance {
  readonly process: ChildProcess;
  readonly #options: InstanceOptions;
  readonly #api: RuntimeApi;
  #state: 'alive' | 'killed' | 'ended' = 'alive';
  /** Of the last invocation; Lambda logs a dash during init. */
  #requestId = '-';

  static async start(options: InstanceOptions): Promise<Instance> {
    return new Instance(options, await startRuntimeApi());
  }

  private constructor(options: InstanceOptions, api: RuntimeApi) {
    this.#options = options;
    this.#api = api;
    this.process = startProcess(options, api.address);
    this.process.once('exit', (code, signal) => this.#ended(exitReason(code, signal)));
    this.process.once('error', ({ message }) => this.#ended(message));
    this.#limitTime('Init', initLimit);
  }

  /** Whether it may be invoked again. One that is killed may look idle until its process has ended. */
  get isAlive(): boolean {
    return this.#state === 'alive';
  }

  /**
   * Waits until the instance asks for its next invocation.
   * @throws Error if it failed at init or its process ended
   */
  idle(): Promise<void> {
    return this.#api.idle();
  }

  /**
   * Invokes the function. The instance must be idle. Resolves and rejects like `invoke` of
   * RuntimeApi.
   */
  invoke(event: string): Promise<Readable> {
    const { name, timeoutSeconds } = this.#options;
    this.#requestId = randomUUID();
    const result = this.#api.invoke({
      requestId: this.#requestId,
      headers: {
        'Lambda-Runtime-Deadline-Ms': Date.now() + timeoutSeconds * 1000,
        'Lambda-Runtime-Invoked-Function-Arn': `arn:aws:lambda:${region}:${accountId}:function:${name}`,
      },
      event,
    });
    this.#limitTime('Task', timeoutSeconds);
    return result;
  }

  /** Ends the process, whatever it does. */
  end(): void {
    this.#kill(new Error('The local run has ended this instance.'));
  }

  /** Kills the process if it is not idle in time. */
  #limitTime(what: string, seconds: number): void {
    const reason = `${what} timed out after ${seconds.toFixed(2)} seconds`;
    const timer = setTimeout(() => {
      this.#log(reason);
      this.#kill(new Error(reason));
    }, seconds * 1000);
    const clear = () => clearTimeout(timer);
    this.idle().then(clear, clear);
  }

  #kill(reason: Error): void {
    this.#state = 'killed';
    this.process.kill('SIGKILL');
    this.process.once('exit', () => this.#api.close(reason));
  }

  /** The process has ended on its own, unless this class has killed it. */
  #ended(reason: string): void {
    if (this.#state === 'alive') {
      this.#log(reason);
      this.#api.close(new Error(reason));
    }
    this.#state = 'ended';
  }

  #log(reason: string): void {
    this.#options.log(`RequestId: ${this.#requestId} Error: ${reason}`);
  }
}

/** Starts the runtime client, which asks the Runtime API at this address for invocations. */
const startProcess = (options: InstanceOptions, runtimeApi: string): ChildProcess => {
  const { name, environment, execArgv = [], log } = options;
  const child = fork(runtimeClient, [name], {
    env: { ...environment, AWS_LAMBDA_RUNTIME_API: runtimeApi },
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
