import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { startInstance as startLocalInstance } from '../../local/lambda/instance.ts';

/** Waits for the port that a process listens on. */
export const portOf = async (child: ChildProcess): Promise<number> => Number((await once(child, 'message'))[0]);

/** A function instance as the local run starts them, with its use of the machine told. */
export const startInstance = async (environment: NodeJS.ProcessEnv) => {
  const { process, idle, invoke, end } = await startLocalInstance({
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench',
    environment,
    timeoutSeconds: 600,
    // Its log of each invocation is not wanted here.
    log: () => {},
    execArgv: ['--import', join(import.meta.dirname, 'usage.ts')],
  });
  return {
    /** Sends an event when the invocation before is over; the result is the raw one. */
    invoke: async (event: unknown): Promise<Readable> => {
      await idle();
      return invoke(JSON.stringify(event));
    },
    /** Waits until the invocation is over. CPU in µs and peak memory in MiB since the start. */
    usage: async (): Promise<{ cpu: number; peakMemory: number }> => {
      await idle();
      process.send('usage');
      return (await once(process, 'message'))[0];
    },
    end,
  };
};
