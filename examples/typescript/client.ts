// What set-quantity.ts and sell.ts share: requests, retries and the settings.
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, parseNumberAndBigInt } from 'lossless-json';
import type { components } from './openapi.js';

// In these types, petId and quantity are bigint, as lossless-json reads them.
export type InventoryItem = components['schemas']['InventoryItem'];
export type InventoryUpdate = components['schemas']['InventoryUpdate'];

const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env;
const attempts = 5;

/** A response other than 200. */
export class ResponseError extends Error {
  readonly status: number;
  /** What the service calls the error; undefined if the response is from somebody in between. */
  readonly code: string | undefined;
  readonly retryAfter: number;
  /** How the entry is now, after a 412. */
  readonly etag: string | null;

  constructor(response: Response, text: string) {
    super(`The service responded with ${response.status}: ${text}`);
    this.status = response.status;
    this.code = /"code": ?"(\w+)"/.exec(text)?.[1];
    this.retryAfter = Number(response.headers.get('Retry-After'));
    this.etag = response.headers.get('ETag');
  }
}

/** The error of an update that may have been applied, or may be a little later. */
export class UnknownOutcome extends Error {}

interface Message {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const send = async (path: string, message: Message) => {
  const response = await fetch(baseUrl + path, {
    ...message,
    headers: { ...message.headers, Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(message.method === 'PATCH' ? 30_000 : 330_000),
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new ResponseError(response, text);
  }
  try {
    const body: unknown = parse(text, undefined, parseNumberAndBigInt);
    return { body, etag: response.headers.get('ETag') };
  } catch {
    throw new Error('The response was cut off or is not valid JSON.');
  }
};

/** Whether a request may succeed if it is sent again, or its response was lost. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ResponseError) || [408, 429].includes(error.status) || error.status >= 500;

const isOneOf = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ResponseError && codes.includes(error.code ?? '');

/** Whether the service says that this attempt was not applied. A status alone may be a proxy's. */
const isNotApplied = (error: unknown): boolean =>
  isOneOf(error, 'too_many_requests', 'service_unavailable');

/** Whether the service says that neither this attempt nor an earlier one with its key is applied. */
export const isRefused = (error: unknown): boolean =>
  isOneOf(error, 'precondition_failed', 'pet_not_found', 'idempotency_key_reused');

/**
 * Whether a request may be sent again, by how often it was sent and since when: with an
 * Idempotency-Key for five minutes, otherwise up to five times, and a conditional update then only
 * if the service says that it was not applied. Node's fetch repeats no PATCH by itself; another
 * client's retries must be switched off, unless there is a key.
 */
const mayRepeat = ({ headers = {} }: Message, error: unknown, times: number, since: number) => {
  if (headers['Idempotency-Key'] !== undefined) {
    return isTemporary(error) && Date.now() - since < 300_000;
  }
  const isRepeatable = headers['If-Match'] === undefined || isNotApplied(error);
  return isTemporary(error) && isRepeatable && times < attempts;
};

/** Waits for the seconds in Retry-After, or else 1, 2, 4, 8, 8, …, and a random part of a second. */
const wait = (error: unknown, times: number) => {
  const retryAfter = error instanceof ResponseError ? error.retryAfter : 0;
  return sleep(1000 * ((retryAfter || Math.min(2 ** (times - 1), 8)) + Math.random()));
};

/** The error of the last attempt, unless an earlier one may have been applied, and still be. */
const outcomeOf = (error: unknown, isLost: boolean): unknown =>
  isLost && !isRefused(error)
    ? new UnknownOutcome(`It may have been applied: look at it. ${(error as Error).message}`)
    : error;

/** Sends a request, again if that may help, until it has a response that is final. */
export const call = async (path: string, message: Message = {}) => {
  const since = Date.now();
  let isLost = false;
  for (let times = 1; ; times += 1) {
    try {
      return await send(path, message);
    } catch (error) {
      isLost ||= message.method === 'PATCH' && isTemporary(error) && !isNotApplied(error);
      if (!mayRepeat(message, error, times, since)) {
        throw outcomeOf(error, isLost);
      }
      await wait(error, times);
      // A machine may have slept through more than the wait.
      if (!mayRepeat(message, error, times, since)) {
        throw outcomeOf(error, isLost);
      }
    }
  }
};

/** Lists the inventory, and returns the entry of a pet. */
export const findEntry = async (petId: string): Promise<InventoryItem> => {
  const inventory = (await call('/inventory')).body as InventoryItem[];
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
