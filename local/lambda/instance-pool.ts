import { NotInvokedError } from './function-error.ts';
import { type Instance, type InstanceOptions, startInstance } from './instance.ts';

/** The most instances of one function; Lambda's limit is 1,000 for an account. */
const instanceLimit = 10;

export interface PoolOptions extends InstanceOptions {
  /**
   * The most instances that the function may have at a time. Clients that do not read their
   * responses can keep all of them busy. Default: 10, the most that the local run starts.
   */
  reservedConcurrency?: number | undefined;
  /**
   * Milliseconds without a free instance after which waiting invocations are rejected; 5,000 by
   * default. Lambda rejects at once.
   */
  longestWait?: number;
}

/**
 * The instances of a function. Each has one invocation at a time, from `acquire` to `release`; one
 * that has none is used again before another is started.
 */
export class InstancePool {
  readonly #options: PoolOptions;
  readonly #maxInstances: number;
  readonly #longestWait: number;
  /** Every instance whose process has not ended. */
  readonly #running = new Set<Instance>();
  /** The running instances without an invocation. The last one was used last, and is used first. */
  readonly #idle: Instance[] = [];
  /** How many instances are acquired, or starting in order to be. */
  #acquired = 0;
  /** Invocations that wait for an instance, in order. */
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  readonly #waitingTooLong: NodeJS.Timeout;

  constructor(options: PoolOptions) {
    const { reservedConcurrency = instanceLimit, longestWait = 5_000 } = options;
    this.#options = options;
    this.#maxInstances = Math.min(reservedConcurrency, instanceLimit);
    // Without any instance, there is nothing to wait for.
    this.#longestWait = this.#maxInstances === 0 ? 0 : longestWait;
    this.#waitingTooLong = setTimeout(() => this.#rejectWaiting(), this.#longestWait).unref();
  }

  /**
   * Returns an idle instance or, if there is none, a new one. Waits while the function has all the
   * instances that it may have, and all are acquired.
   * @throws NotInvokedError if none has become free for too long
   * @throws FunctionError if a new instance fails at init
   */
  async acquire(): Promise<Instance> {
    await this.#takeTurn();
    try {
      return this.#idle.pop() ?? (await this.#start());
    } catch (error) {
      this.#endTurn();
      throw error;
    }
  }

  /** Returns an acquired instance, which is idle or has ended. */
  release(instance: Instance): void {
    if (this.#running.has(instance)) {
      this.#idle.push(instance);
    }
    this.#endTurn();
  }

  /** Ends every instance. */
  close(): void {
    for (const instance of this.#running) {
      instance.end();
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#acquired < this.#maxInstances) {
      this.#acquired += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    if (this.#waiting.push(turn) === 1) {
      this.#waitingTooLong.refresh();
    }
    await turn.promise;
  }

  /** Gives the turn to the invocation that has waited longest, if one is waiting. */
  #endTurn(): void {
    this.#waitingTooLong.refresh();
    const next = this.#waiting.shift();
    if (next) {
      next.resolve();
    } else {
      this.#acquired -= 1;
    }
  }

  async #start(): Promise<Instance> {
    const instance = await startInstance(this.#options);
    this.#running.add(instance);
    instance.process.once('exit', () => this.#remove(instance));
    await instance.idle();
    // A cold start is progress, too.
    this.#waitingTooLong.refresh();
    return instance;
  }

  #remove(instance: Instance): void {
    this.#running.delete(instance);
    const position = this.#idle.indexOf(instance);
    if (position >= 0) {
      this.#idle.splice(position, 1);
    }
  }

  #rejectWaiting(): void {
    for (const { reject } of this.#waiting.splice(0)) {
      const seconds = this.#longestWait / 1000;
      const reason = `All ${this.#maxInstances} instances have been busy for ${seconds} s.`;
      this.#options.log(`Error: ${reason}`);
      reject(new NotInvokedError(reason));
    }
  }
}
