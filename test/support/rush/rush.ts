import { jest } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { contextWith, patchEvent, setEnvironment } from '../functions/functions.ts';
import { simulatedNetwork } from './network.ts';
import { SimulatedDynamodb, type World } from './simulated-dynamodb.ts';
import { randomOf, virtualTime } from './virtual-time.ts';

const TableName = 'pets';
setEnvironment({
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  INVENTORY_TABLE_NAME: TableName,
});
const time = virtualTime();
const network = simulatedNetwork(time);
const { tokenOf } = await import('../../../functions/inventory/idempotency-key.ts');

/** Starts an instance of the function, which has learned nothing yet. */
const startInstance = async () => {
  jest.resetModules();
  const { RetryStrategy } = await import('../../../functions/dynamodb/attempts.ts');
  const { client } = await import('../../../functions/dynamodb/dynamodb-client.ts');
  const { handler } = await import('../../../functions/update-inventory.ts');
  // On Lambda, requests that run at the same time have an instance each, and so a quota of retries.
  client.config.retryStrategy = async () => new RetryStrategy(3);
  return handler;
};

/** Instances that have run in the same world, and learn of it. */
const instances = new Map<string, Awaited<ReturnType<typeof startInstance>>[]>();

const instancesIn = async ({ refused }: World) => {
  const known = instances.get(refused) ?? [await startInstance(), await startInstance()];
  instances.set(refused, known);
  return known;
};

/** The milliseconds within which all begin, and for which a client repeats a request. */
const begin = 50;
const patience = 300_000;

/** What a client learns of one decision, in the end. */
interface Decision {
  token: string;
  outcome: 'applied' | 'refused' | 'unsure';
}

/** Clients of one pet, which have a key for every decision, and repeat as docs/api.md says. */
class Clients {
  readonly decisions: Decision[] = [];
  readonly durations: number[] = [];
  failed = 0;
  readonly #dynamodb: SimulatedDynamodb;
  readonly #handlers: Awaited<ReturnType<typeof instancesIn>>;

  constructor(dynamodb: SimulatedDynamodb, handlers: Awaited<ReturnType<typeof instancesIn>>) {
    this.#dynamodb = dynamodb;
    this.#handlers = handlers;
  }

  /** Sends a decision until its outcome is known. Returns the stock to decide on again, if any. */
  async decide(from: number, to: number): Promise<number | undefined> {
    const idempotencyKey = crypto.randomUUID();
    const token = tokenOf({ TableName, keyId: 'key-1', petId: 7n, idempotencyKey });
    const decision: Decision = { token, outcome: 'unsure' };
    this.decisions.push(decision);
    const headers = { 'If-Match': [`"${from}-available"`], 'Idempotency-Key': [idempotencyKey] };
    const { statusCode, headers: answered } = await this.#insist(to, headers);
    if (statusCode >= 500) {
      return undefined;
    }
    decision.outcome = statusCode === 200 ? 'applied' : 'refused';
    const [, now = this.#dynamodb.quantity] = /^"(\d+)-/.exec(String(answered?.ETag)) ?? [];
    return statusCode === 200 ? undefined : Number(now);
  }

  /** Sets the stock, whatever it is. */
  async overwrite(to: number): Promise<void> {
    await this.#insist(to, {});
  }

  async #insist(to: number, headers: Record<string, string[]>): Promise<APIGatewayProxyResult> {
    const startedAt = time.now();
    for (let wait = 1_000; ; wait = Math.min(2 * wait, 8_000)) {
      const result = await this.#send(to, headers);
      if (result.statusCode < 500 || time.now() - startedAt > patience) {
        return result;
      }
      const least = result.headers?.['Retry-After'] ? 1_000 : wait;
      await time.sleep(least + 1_000 * Math.random());
    }
  }

  async #send(to: number, headers: Record<string, string[]>): Promise<APIGatewayProxyResult> {
    const sentAt = time.now();
    const event = patchEvent('7', `{"quantity":${to}}`, headers);
    const handler = this.#handlers[Math.floor(Math.random() * this.#handlers.length)];
    const result = (await handler?.(event, contextWith(10_000))) as APIGatewayProxyResult;
    this.durations.push(time.now() - sentAt);
    this.failed += result.statusCode >= 500 ? 1 : 0;
    return result;
  }

  /** Returns the milliseconds of 99 % of the requests, at most. */
  p99(): number {
    const sorted = this.durations.toSorted((one, other) => one - other);
    return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
  }

  /** Returns how many decisions were applied though they must not be, or not though they must. */
  wrong(): number {
    return this.decisions.filter(({ token, outcome }) => {
      const times = this.#dynamodb.applied.get(token) ?? 0;
      return times > 1 || (outcome !== 'unsure' && (times === 1) !== (outcome === 'applied'));
    }).length;
  }
}

export interface Rush extends World {
  seed: number;
  sellers: number;
  /** Whether those that are refused decide again until they have sold. */
  untilSold: boolean;
  /** How many others set the stock without a condition. */
  setters?: number;
}

/**
 * Lets clients rush to sell one pet. Of ten, one brings one back, so that the stock is again as
 * others have seen it.
 */
export const rush = async ({ seed, sellers, untilSold, setters = 0, ...world }: Rush) => {
  const handlers = await instancesIn(world);
  Math.random = randomOf(seed);
  const dynamodb = new SimulatedDynamodb(time, world);
  network.connect((call, line) => dynamodb.receive(call, line));
  const clients = new Clients(dynamodb, handlers);
  const full = 2 * sellers;
  dynamodb.quantity = full;

  const act = async (change: number): Promise<void> => {
    await time.sleep(begin * Math.random());
    let seen: number | undefined = full;
    do {
      seen = await clients.decide(seen, seen + change);
    } while (untilSold && seen !== undefined);
  };
  const overwrite = async (): Promise<void> => {
    await time.sleep(begin * Math.random());
    await clients.overwrite(full);
  };
  const all = Array.from({ length: sellers }, (_, index) => act(index % 10 === 9 ? 1 : -1));
  await time.until(Promise.all([...all, ...Array.from({ length: setters }, overwrite)]));
  await time.untilQuiet();

  const { decisions, durations, failed } = clients;
  return {
    requests: durations.length,
    /** How many got a 5xx. */
    failed,
    p99: clients.p99(),
    /** How many decisions their clients do not know the outcome of after five minutes. */
    unsure: decisions.filter(({ outcome }) => outcome === 'unsure').length,
    wrong: clients.wrong(),
  };
};
