// What set-quantity.ts and sell.ts share: requests, retries and the settings.
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, parseNumberAndBigInt } from 'lossless-json';
import type { components } from './openapi.js';

// In these types, petId and quantity are bigint, as lossless-json reads them.
export type InventoryItem = components['schemas']['InventoryItem'];
export type InventoryUpdate = components['schemas']['InventoryUpdate'];

const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env;
/** How often a request is sent that has no Idempotency-Key. */
const attempts = 5;
/** How long a request is sent again that has one: the service promises no more. */
const fiveMinutes = 300_000;

/** A response other than 200. */
export class ResponseError extends Error {
  readonly status: number;
  /** What the service calls the error; undefined if the response is a proxy's. */
  readonly code: string | undefined;
  readonly retryAfter: number;
  /** The entry's current one, after a 412. */
  readonly etag: string | null;

  constructor(response: Response, text: string) {
    super(`The service responded with ${response.status}: ${text}`);
    this.status = response.status;
    this.code = /"code": ?"(\w+)"/.exec(text)?.[1];
    this.retryAfter = Number(response.headers.get('Retry-After'));
    this.etag = response.headers.get('ETag');
  }
}

interface Message {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const send = async (path: string, message: Message) => {
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
  try {
    const body: unknown = parse(text, undefined, parseNumberAndBigInt);
    return body;
  } catch {
    throw new Error('The response was cut off or is not valid JSON.');
  }
};

/** Whether a request may succeed if it is sent again. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ResponseError) || [408, 429].includes(error.status) || error.status >= 500;

/** Whether the service says that no attempt with this Idempotency-Key was or will be applied. */
export const isRefused = (error: unknown): error is ResponseError =>
  error instanceof ResponseError &&
  ['precondition_failed', 'pet_not_found', 'idempotency_key_reused'].includes(error.code ?? '');

/**
 * Whether a request may be sent again, after waiting for the seconds in Retry-After, or else 1, 2,
 * 4, 8, 8, …, and a random part of a second. An update with a condition needs an Idempotency-Key:
 * without one, it could be applied twice.
 */
const mayRepeat = async ({ headers }: Message, error: unknown, times: number, since: number) => {
  const isOver = (seconds: number): boolean =>
    headers?.['Idempotency-Key'] === undefined
      ? times >= attempts
      : Date.now() + 1000 * seconds >= since + fiveMinutes;
  const retryAfter = error instanceof ResponseError ? error.retryAfter : 0;
  const seconds = (retryAfter || Math.min(2 ** (times - 1), 8)) + Math.random();
  if (!isTemporary(error) || isOver(seconds)) {
    return false;
  }
  await sleep(1000 * seconds);
  // The machine may have slept longer.
  return !isOver(0);
};

/** Says what an update with a condition came to, unless the service has said it. */
const explain = ({ headers }: Message, error: Error): Error => {
  if (headers?.['If-Match'] === undefined || isRefused(error)) {
    return error;
  }
  const { message, cause } = error;
  return new Error(`It may have been applied: check the entry. ${message}`, { cause });
};

/** Sends a request until a response is final, and returns the body of a 200. */
export const call = async (path: string, message: Message = {}): Promise<unknown> => {
  const since = Date.now();
  for (let times = 1; ; times += 1) {
    try {
      return await send(path, message);
    } catch (error) {
      if (!(await mayRepeat(message, error, times, since))) {
        throw explain(message, error as Error);
      }
    }
  }
};

/** Lists the inventory, and returns the entry of a pet. */
export const findEntry = async (petId: string): Promise<InventoryItem> => {
  const inventory = (await call('/inventory')) as InventoryItem[];
  const entry = inventory.find((item) => String(item.petId) === petId);
  if (!entry) {
    throw new Error(`The inventory has no pet ${petId}.`);
  }
  return entry;
};

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
  main(process.argv.slice(2)).catch(({ message, cause }) => {
    // A network error says its reason in its cause.
    console.error(cause?.code ? `${message}: ${cause.code}` : message);
    process.exitCode = 1;
  });
};
