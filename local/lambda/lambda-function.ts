import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Instance, type InstanceOptions } from './instance.ts';

/** The most instances of one function; Lambda's limit is 1,000 for an account. */
const instanceLimit = 10;

export interface FunctionOptions extends InstanceOptions {
  /** The most instances that it has. */
  limit?: number;
}

/** What the local run needs of a function. */
export interface LambdaFunction {
  /** @throws Error if the function fails */
  invoke(event: unknown): Promise<unknown>;
  /**
   * Returns the result as a stream, which fails if the function fails midway. Its reader may
   * destroy it.
   * @throws Error if the function fails before the first byte
   */
  invokeStreaming(event: unknown): Promise<Readable>;
  /** Invokes the function's code as it is from now on. */
  renew(): void;
  close(): void;
}

/**
 * A function as Lambda runs it, in instances. Each has one invocation at a time, from `acquire` to
 * `release`; one that has none is used again before another is started.
 */
export class EmulatedFunction implements LambdaFunction {
  readonly #options: InstanceOptions;
  readonly #limit: number;
  /** Every instance whose process has not ended. */
  readonly #running = new Set<Instance>();
  /** The running instances without an invocation. The next one is taken from the end. */
  #idle: Instance[] = [];
  /** The running instances that end after their invocation. */
  #outdated = new Set<Instance>();
  #acquired = 0;
  #isClosed = false;
  /** Invocations that wait for an instance, in order. */
  readonly #waiting: (() => void)[] = [];

  constructor({ limit = instanceLimit, ...options }: FunctionOptions) {
    this.#options = options;
    this.#limit = limit;
  }

  async invoke(event: unknown): Promise<unknown> {
    const { result, over } = await this.#begin(event);
    try {
      return JSON.parse(await text(await result));
    } finally {
      // A caller that invokes the function again at once should find this instance idle and not
      // start another.
      await over;
    }
  }

  async invokeStreaming(event: unknown): Promise<Readable> {
    return (await this.#begin(event)).result;
  }

  /**
   * Returns an idle instance or, if there is none, a new one. Waits while the function has as many
   * as it may have.
   * @throws Error if a new instance fails at init
   */
  async acquire(): Promise<Instance> {
    if (this.#acquired === this.#limit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#acquired += 1;
    }
    try {
      return this.#idle.pop() ?? (await this.#start());
    } catch (error) {
      this.#handOn();
      throw error;
    }
  }

  /** Returns an acquired instance, which is idle, is ending, or has ended. */
  release(instance: Instance): void {
    if (this.#outdated.delete(instance)) {
      instance.end();
    } else if (instance.isAlive) {
      this.#idle.push(instance);
    }
    this.#handOn();
  }

  /** Busy instances end after their invocation. */
  renew(): void {
    this.#outdated = this.#running.difference(new Set(this.#idle));
    this.#idle.forEach((instance) => void instance.end());
    this.#idle = [];
  }

  /** Ends every instance, also those that are being started. */
  close(): void {
    this.#isClosed = true;
    this.#running.forEach((instance) => void instance.end());
  }

  /** `result` resolves at the first byte, `over` when the instance is free again. */
  async #begin(event: unknown) {
    const instance = await this.acquire();
    const release = () => this.release(instance);
    const result = instance.invoke(JSON.stringify(event));
    const over = instance.idle().then(release, release);
    return { result, over };
  }

  /** Lets the invocation go on that has waited longest, if one is waiting. */
  #handOn(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
    } else {
      this.#acquired -= 1;
    }
  }

  async #start(): Promise<Instance> {
    if (this.#isClosed) {
      throw new Error('The function is closed.');
    }
    const instance = await Instance.start(this.#options);
    this.#running.add(instance);
    instance.process.once('exit', () => {
      this.#running.delete(instance);
      this.#idle = this.#idle.filter((each) => each !== instance);
    });
    if (this.#isClosed) {
      instance.end();
    }
    await instance.idle();
    return instance;
  }
}
