import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EventTooLargeError, FunctionError, NotInvokedError } from './function-error.ts';
import { type Instance, type InstanceOptions, startInstance } from './instance.ts';

/** Lambda's limit for the event and for a buffered result, in bytes. */
export const payloadLimit = 6_291_556;

export interface FunctionOptions extends InstanceOptions {
  /**
   * Limit of instances, at most 10; Lambda's is 1,000. Clients that do not read their responses can
   * keep all busy.
   */
  maxInstances?: number | undefined;
  /**
   * Milliseconds without a free instance after which waiting invocations are rejected. Lambda
   * rejects at once.
   */
  longestWait?: number;
}

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

export const lambdaFunction = (options: FunctionOptions): LambdaFunction => {
  const maxInstances = Math.min(options.maxInstances ?? 10, 10);
  const { longestWait = maxInstances && 5_000 } = options;
  const instances = new Set<Instance>();
  /**
   * Free slots: undefined for each instance that may still start, then idle instances, the last
   * used at the end.
   */
  const free: (Instance | undefined)[] = Array(maxInstances).fill(undefined);
  const waiting: PromiseWithResolvers<Instance | undefined>[] = [];
  const patience = setTimeout(() => {
    for (const { reject } of waiting.splice(0)) {
      const busy = `All ${maxInstances} instances have been busy for ${longestWait / 1000} s.`;
      options.log(`Error: ${busy}`);
      reject(new NotInvokedError(busy));
    }
  }, longestWait).unref();

  const release = (slot: Instance | undefined) => {
    patience.refresh();
    const first = waiting.shift();
    if (first) {
      first.resolve(slot);
    } else {
      free.splice(slot ? free.length : 0, 0, slot);
    }
  };

  const freeSlot = async (): Promise<Instance | undefined> => {
    if (free.length > 0) {
      return free.pop();
    }
    const slot = Promise.withResolvers<Instance | undefined>();
    if (waiting.push(slot) === 1) {
      patience.refresh();
    }
    return slot.promise;
  };

  const start = async (): Promise<Instance> => {
    const instance = await startInstance(options);
    instances.add(instance);
    instance.process.once('exit', () => instances.delete(instance));
    await instance.idle();
    patience.refresh();
    return instance;
  };

  /**
   * Invokes a free or new instance. `result` resolves at the first byte, `over` when the instance
   * is free again.
   */
  const begin = async (
    event: unknown,
  ): Promise<{ result: Promise<Readable>; over: Promise<void> }> => {
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > payloadLimit) {
      throw new EventTooLargeError(`The event is larger than ${payloadLimit} bytes.`);
    }
    const slot = await freeSlot();
    try {
      const instance = slot && instances.has(slot) ? slot : await start();
      const result = instance.invoke(payload);
      const over = instance.idle().then(
        () => release(instance),
        () => release(undefined),
      );
      return { result, over };
    } catch (error) {
      release(undefined);
      throw error;
    }
  };

  return {
    invoke: async (event) => {
      const { result, over } = await begin(event);
      try {
        const body = await text(await result);
        if (Buffer.byteLength(body) > payloadLimit) {
          throw new FunctionError(`The result is larger than ${payloadLimit} bytes.`);
        }
        return JSON.parse(body);
      } finally {
        // A caller that invokes the function again at once should find this instance idle and not
        // start another.
        await over;
      }
    },
    invokeStreaming: async (event) => (await begin(event)).result,
    close: () => instances.forEach((instance) => void instance.end()),
  };
};
