import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';

/** A function instance as the local run starts them, with its use of the machine told. */
export interface Instance {
  /** Sends an event; the answer is the raw result. */
  invoke(event: unknown): Promise<IncomingMessage>;
  /**
   * Waits until the invocation is over. CPU in µs and peak memory in MiB since the start; heap in bytes, of which
   * none is garbage under --expose-gc.
   */
  usage(): Promise<{ cpu: number; peakMemory: number; heap: number }>;
  end(): void;
}

/** Waits for the port that a process listens on. */
export const portOf = async (child: ChildProcess): Promise<number> => Number((await once(child, 'message'))[0]);

export const startInstance = async (environment: NodeJS.ProcessEnv, ...options: string[]): Promise<Instance> => {
  const child = fork(join(import.meta.dirname, '../../local/lambda/lambda-runtime.ts'), {
    env: environment,
    execArgv: [...options, '--import', join(import.meta.dirname, 'usage.ts')],
    // Its reports of each invocation are not wanted here.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const port = await portOf(child);
  let done = Promise.resolve<unknown>(undefined);
  return {
    invoke: async (event) => {
      await done;
      done = once(child, 'message');
      const headers = { 'Lambda-Runtime-Deadline-Ms': Date.now() + 600_000 };
      return new Promise((resolve, reject) => {
        request({ host: '127.0.0.1', port, method: 'POST', headers }, resolve)
          .on('error', reject)
          .end(JSON.stringify(event));
      });
    },
    usage: async () => {
      await done;
      child.send('usage');
      return (await once(child, 'message'))[0];
    },
    end: () => child.kill('SIGKILL'),
  };
};
