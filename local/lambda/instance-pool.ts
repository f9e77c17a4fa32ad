import { type Instance, type InstanceOptions, startInstance } from './instance.ts';

/** The most instances of one function; Lambda's limit is 1,000 for an account. */
export const instanceLimit = 10;

/**
 * The instances of a function. Each has one invocation at a time, from `acquire` to `release`; one
 * that has none is used again before another is started.
 */
export class InstancePool {
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

  constructor(options: InstanceOptions) {
    this.#options = options;
    // Whoever debugs a function wants its requests one after the other.
    this.#limit = options.inspectPort === undefined ? instanceLimit : 1;
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
    // One whose result is read as it is killed looks idle until its process has ended.
    const isAlive = this.#running.has(instance) && !instance.process.killed;
    if (this.#outdated.delete(instance)) {
      instance.end();
    } else if (isAlive) {
      this.#idle.push(instance);
    }
    this.#handOn();
  }

  /** Starts new instances from now on. Those that are busy end after their invocation. */
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
    const instance = await startInstance(this.#options);
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
