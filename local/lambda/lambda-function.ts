import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { InstanceOptions } from './instance.ts';
import { InstancePool } from './instance-pool.ts';

/** Lambda's limit for a buffered result, in bytes. */
const payloadLimit = 6_291_556;

export interface LambdaFunction {
  /** Whether a debugger may hold an invocation, for as long as it likes. */
  hasDebugger: boolean;
  /** @throws Error if the function fails */
  invoke(event: unknown): Promise<unknown>;
  /**
   * Returns the result as a stream, which fails if the function fails midway. Its reader may
   * destroy it.
   * @throws Error if the function fails before the first byte
   */
  invokeStreaming(event: unknown): Promise<Readable>;
  /** Starts an instance before the first invocation. */
  warmUp(): Promise<void>;
  /** Invokes the function's code as it is from now on. */
  renew(): void;
  close(): void;
}

export const emulatedFunction = (options: InstanceOptions): LambdaFunction => {
  const instances = new InstancePool(options);

  /** `result` resolves at the first byte, `over` when the instance is free again. */
  const begin = async (event: unknown) => {
    const instance = await instances.acquire();
    const release = () => instances.release(instance);
    const result = instance.invoke(JSON.stringify(event));
    const over = instance.idle().then(release, release);
    return { result, over };
  };

  return {
    hasDebugger: options.inspectPort !== undefined,
    invoke: async (event) => {
      const { result, over } = await begin(event);
      try {
        return parseResult(await text(await result));
      } finally {
        // A caller that invokes the function again at once should find this instance idle and not
        // start another.
        await over;
      }
    },
    invokeStreaming: async (event) => (await begin(event)).result,
    warmUp: async () => instances.release(await instances.acquire()),
    renew: () => instances.renew(),
    close: () => instances.close(),
  };
};

const parseResult = (json: string): unknown => {
  if (Buffer.byteLength(json) > payloadLimit) {
    throw new Error(`The result is larger than ${payloadLimit} bytes.`);
  }
  return JSON.parse(json);
};
