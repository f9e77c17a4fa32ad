import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EventTooLargeError, FunctionError } from './function-error.ts';
import { InstancePool, type PoolOptions } from './instance-pool.ts';

/** Lambda's limit for the event and for a buffered result, in bytes. */
export const payloadLimit = 6_291_556;

export interface LambdaFunction {
  /** @throws FunctionError */
  invoke(event: unknown): Promise<unknown>;
  /**
   * Returns the result as a stream, which fails if the function fails midway. Its reader may
   * destroy it.
   * @throws FunctionError if the function fails before the first byte
   */
  invokeStreaming(event: unknown): Promise<Readable>;
  close(): void;
}

/** `warmUp` starts an instance before the first invocation. */
export const lambdaFunction = (
  options: PoolOptions,
): LambdaFunction & { warmUp(): Promise<void> } => {
  const instances = new InstancePool(options);

  /**
   * Begins an invocation. `result` resolves at the first byte, `over` when the instance is free
   * again.
   */
  const begin = async (
    event: unknown,
  ): Promise<{ result: Promise<Readable>; over: Promise<void> }> => {
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > payloadLimit) {
      throw new EventTooLargeError(`The event is larger than ${payloadLimit} bytes.`);
    }
    const instance = await instances.acquire();
    const release = () => instances.release(instance);
    const result = instance.invoke(payload);
    const over = instance.idle().then(release, release);
    return { result, over };
  };

  return {
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
    close: () => instances.close(),
    warmUp: async () => instances.release(await instances.acquire()),
  };
};

const parseResult = (json: string): unknown => {
  if (Buffer.byteLength(json) > payloadLimit) {
    throw new FunctionError(`The result is larger than ${payloadLimit} bytes.`);
  }
  return JSON.parse(json);
};
