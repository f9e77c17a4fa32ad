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
  readonly retryAfter: number;
  /** How the entry is now, after a 412. */
  readonly etag: string | null;

  constructor(response: Response, text: string) {
    super(`The service responded with ${response.status}: ${text}`);
    this.status = response.status;
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
    signal: AbortSignal.timeout(330_000),
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

/** Whether an error means that a conditional update was not applied, and may be sent again. */
const isNotApplied = (error: unknown): boolean =>
  error instanceof ResponseError && (error.status === 429 || error.status === 503);

/** Whether an error leaves open if a conditional update was applied. */
export const isUnknownOutcome = (error: unknown): boolean =>
  !isNotApplied(error) && (!(error instanceof ResponseError) || error.status >= 500);

/**
 * Whether a request may be sent again: after a 429 or a 503 always; after another 5xx, a network
 * error or a response that was cut off only without If-Match, because the update may have been
 * applied. Node's fetch repeats no PATCH by itself; another client's retries must be switched off.
 */
const mayRepeat = ({ headers }: Message, error: unknown): boolean =>
  isNotApplied(error) || (headers?.['If-Match'] === undefined && isUnknownOutcome(error));

/**
 * Sends a request, up to five times. Waits for the seconds in Retry-After, or else 1, 2, 4, then 8,
 * and a random part of a second.
 */
export const call = async (
  path: string,
  message: Message = {},
  attempt = 1,
): Promise<{ body: unknown; etag: string | null }> => {
  try {
    return await send(path, message);
  } catch (error) {
    if (attempt === attempts || !mayRepeat(message, error)) {
      throw error;
    }
    const retryAfter = error instanceof ResponseError ? error.retryAfter : 0;
    await sleep(1000 * ((retryAfter || 2 ** (attempt - 1)) + Math.random()));
  }
  return call(path, message, attempt + 1);
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
