// What set-quantity.ts and sell.ts share: requests, retries and the settings.
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';
import type { components } from './openapi.js';

// In these types, petId and quantity are bigint, as lossless-json reads them.
export type InventoryItem = components['schemas']['InventoryItem'];
export type InventoryUpdate = components['schemas']['InventoryUpdate'];

const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env;
/** How often a request is sent that has no Idempotency-Key. */
const attempts = 5;
/** For how many seconds a request is sent again that has one: the service promises no more. */
export const fiveMinutes = 300;

/** Whether an update with a condition is under way, so that nobody knows whether it was applied. */
let isUnknown = false;
const unknown = 'It may have been applied: check the entry.';

/** A response other than a valid 200. */
class ResponseError extends Error {
  readonly status: number;
  /** What the service calls the error; undefined if the response is a proxy's. */
  readonly code: string | undefined;
  /** The Idempotency-Key that took effect. */
  readonly key: string | null;
  readonly retryAfter: number;
  /** The entry's current one, after a 412. */
  readonly etag: string | null;

  constructor(
    response: Response,
    text: string,
    problem = `The service responded with ${response.status}`,
  ) {
    super(`${problem}: ${text}`);
    this.status = response.status;
    this.code = /"code": ?"(\w+)"/.exec(text)?.[1];
    this.key = response.headers.get('Idempotency-Key');
    this.retryAfter = Number(response.headers.get('Retry-After'));
    this.etag = response.headers.get('ETag');
  }
}

interface Message<Body> {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Recognizes the body of the 200 that counts. */
  isExpected: (body: unknown) => body is Body;
}

const keyOf = ({ headers }: Message<unknown>): string | null =>
  headers?.['Idempotency-Key'] ?? null;

const send = async <Body>(path: string, { isExpected, ...message }: Message<Body>) => {
  const response = await fetch(baseUrl + path, {
    ...message,
    headers: { ...message.headers, Authorization: `Bearer ${apiKey}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(message.method === 'PATCH' ? 30_000 : 330_000),
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new ResponseError(response, text);
  }
  const body = parsed(text);
  if (!isExpected(body)) {
    throw new Error(`The response was cut off or is not what was asked for: ${text}`);
  }
  if (response.headers.get('Idempotency-Key') !== keyOf({ isExpected, ...message })) {
    throw new ResponseError(response, text, 'The response lacks the Idempotency-Key');
  }
  return body;
};

const parsed = (text: string): unknown => {
  try {
    return parse(text, undefined, parseNumberAndBigInt);
  } catch {
    return undefined;
  }
};

/** Whether a request may succeed if it is sent again. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ResponseError) || [408, 429].includes(error.status) || error.status >= 500;

/** Whether the service says that no attempt with this Idempotency-Key was or will be applied. */
const isRefusal = (message: Message<unknown>, error: unknown): boolean =>
  error instanceof ResponseError &&
  ['precondition_failed', 'pet_not_found', 'idempotency_key_reused'].includes(error.code ?? '') &&
  error.key === keyOf(message);

/** Counts seconds since a time, by the clock that is further: one stands still in sleep, one is set. */
const stopwatch = (since: number): (() => number) => {
  const [age, start] = [Date.now() - since, performance.now()];
  return () => Math.max(Date.now() - since, age + performance.now() - start) / 1000;
};

/**
 * Whether a request may be sent again, after waiting for the seconds in Retry-After, or else 1, 2,
 * 4, 8, 8, …, and a random part of a second. An update with a condition needs an Idempotency-Key:
 * without one, it could be applied twice.
 */
const mayRepeat = async (
  message: Message<unknown>,
  error: unknown,
  times: number,
  passed: () => number,
): Promise<boolean> => {
  const isOver = (seconds: number): boolean =>
    keyOf(message) === null ? times >= attempts : passed() + seconds >= fiveMinutes;
  const retryAfter = error instanceof ResponseError ? error.retryAfter : 0;
  const asked = retryAfter || Math.min(2 ** (times - 1), 8);
  const seconds = Math.min(Math.max(asked, 1), fiveMinutes) + Math.random();
  if (!isTemporary(error) || isOver(seconds)) {
    return false;
  }
  await sleep(1000 * seconds);
  // The machine may have slept longer.
  return !isOver(0);
};

/** The service refuses an update with a condition, and will not apply it. */
export class RefusedError extends Error {
  /** The entry's current one, after a 412. */
  readonly etag: string | null;

  constructor({ message, etag }: ResponseError) {
    super(message);
    this.etag = etag;
  }
}

/** Says what an update with a condition came to. */
const explain = (message: Message<unknown>, error: Error): Error => {
  if (keyOf(message) === null) {
    return error;
  }
  return isRefusal(message, error)
    ? new RefusedError(error as ResponseError)
    : new Error(`${unknown} ${error.message}`, { cause: error.cause });
};

/** Sends a request until a response is final, and returns the body of a 200. */
const call = async <Body>(
  path: string,
  message: Message<Body>,
  firstSentAt = Date.now(),
): Promise<Body> => {
  const passed = stopwatch(firstSentAt);
  isUnknown = keyOf(message) !== null;
  try {
    for (let times = 1; ; times += 1) {
      try {
        return await send(path, message);
      } catch (error) {
        if (!(await mayRepeat(message, error, times, passed))) {
          throw explain(message, error as Error);
        }
      }
    }
  } finally {
    isUnknown = false;
  }
};

/** Lists the inventory, and returns the entry of a pet. */
export const findEntry = async (petId: string): Promise<InventoryItem> => {
  const isExpected = (body: unknown): body is InventoryItem[] => Array.isArray(body);
  const inventory = await call('/inventory', { isExpected });
  const entry = inventory.find((item) => String(item.petId) === petId);
  if (!entry) {
    throw new Error(`The inventory has no pet ${petId}.`);
  }
  return entry;
};

/** What makes an update conditional: the entry's ETag, and a name of its own for the update. */
export interface Condition {
  'If-Match': string;
  'Idempotency-Key': string;
}

/**
 * Updates the entry of a pet, and returns it.
 * @param firstSentAt when exactly this update was first sent, if that was earlier
 * @throws RefusedError if the condition does not hold
 */
export const updateEntry = (
  petId: string,
  update: InventoryUpdate,
  condition?: Condition,
  firstSentAt?: number,
): Promise<InventoryItem> =>
  call(
    `/inventory/${petId}`,
    {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', ...condition },
      body: stringify(update) ?? '',
      isExpected: (body): body is InventoryItem => {
        const entry = body as Partial<InventoryItem> | undefined;
        return String(entry?.petId) === petId && entry?.quantity === update.quantity;
      },
    },
    firstSentAt,
  );

export const check = (isValid: boolean, message: string): void => {
  if (!isValid) {
    throw new Error(message);
  }
};

/** Throws unless the arguments PET_ID and QUANTITY, and the environment, are valid. */
export const checkSettings = (petId: string, quantity: string): void => {
  check(/^(0|-?[1-9]\d*)$/.test(petId), `PET_ID must be an integer, not "${petId}".`);
  check(
    /^(0|[1-9]\d*)$/.test(quantity),
    `QUANTITY must be 0 or a positive integer, not "${quantity}".`,
  );
  check(
    /^https?:\/\/[\w.-]+(:\d+)?(\/[\w.-]+)*\/v1$/.test(baseUrl),
    "Set PETSTORE_BASE_URL to the service's base URL, which ends in /v1.",
  );
  check(
    /^\w+$/.test(apiKey),
    'Set PETSTORE_API_KEY to an API key, which has only letters, digits and underscores.',
  );
};

/** Runs a program with its arguments, and prints why it fails. */
export const run = (main: (args: string[]) => Promise<void>): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      if (isUnknown) {
        console.error(`${unknown} The program was interrupted.`);
      }
      process.exit(130);
    });
  }
  main(process.argv.slice(2)).catch(({ message, cause }) => {
    // A network error says its reason in its cause.
    console.error(cause?.code ? `${message}: ${cause.code}` : message);
    process.exitCode = 1;
  });
};
