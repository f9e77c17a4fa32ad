// Sets the quantity of a pet in the inventory. Usage: node dist/set-quantity.js PET_ID QUANTITY
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';
import type { components } from './openapi.js';

// In these types, petId and quantity are bigint, as lossless-json reads them.
type InventoryItem = components['schemas']['InventoryItem'];
type InventoryUpdate = components['schemas']['InventoryUpdate'];

const attempts = 5;

/** A response other than 200. */
class ResponseError extends Error {
  readonly isTemporary: boolean;
  readonly retryAfter: number;

  constructor(response: Response, text: string) {
    super(`The service responded with ${response.status}: ${text}`);
    this.isTemporary = response.status === 429 || response.status >= 500;
    this.retryAfter = Number(response.headers.get('Retry-After'));
  }
}

const send = async (url: string, request: RequestInit): Promise<unknown> => {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(330_000) });
  const text = await response.text();
  if (response.status !== 200) {
    throw new ResponseError(response, text);
  }
  try {
    return parse(text, undefined, parseNumberAndBigInt);
  } catch {
    throw new Error('The response was cut off or is not valid JSON.');
  }
};

/**
 * Sends a request, up to five times. Repeats it after a 429, a 5xx, a network error and a response
 * that was cut off. Waits for the seconds in Retry-After, or else 1, 2, 4, then 8, and a random
 * part of a second.
 */
const call = async (url: string, request: RequestInit, attempt = 1): Promise<unknown> => {
  try {
    return await send(url, request);
  } catch (error) {
    const response = error instanceof ResponseError ? error : undefined;
    if (response?.isTemporary === false || attempt === attempts) {
      throw error;
    }
    const seconds = (response?.retryAfter || 2 ** (attempt - 1)) + Math.random();
    await sleep(1000 * seconds);
  }
  return call(url, request, attempt + 1);
};

/** Returns the updated entry. */
const setQuantity = async (
  baseUrl: string,
  apiKey: string,
  petId: string,
  update: InventoryUpdate,
): Promise<InventoryItem> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const inventory = (await call(`${baseUrl}/inventory`, { headers })) as InventoryItem[];
  const entry = inventory.find((item) => String(item.petId) === petId);
  if (!entry) {
    throw new Error(`The inventory has no pet ${petId}.`);
  }
  return (await call(`${baseUrl}/inventory/${entry.petId}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: stringify(update) ?? '',
  })) as InventoryItem;
};

const check = (isValid: boolean, message: string): void => {
  if (!isValid) {
    throw new Error(message);
  }
};

const main = async (args: string[]): Promise<void> => {
  check(args.length === 2, 'Usage: node dist/set-quantity.js PET_ID QUANTITY');
  const [petId = '', quantity = ''] = args;
  const { PETSTORE_BASE_URL: baseUrl = '', PETSTORE_API_KEY: apiKey = '' } = process.env;
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
  console.log(stringify(await setQuantity(baseUrl, apiKey, petId, { quantity: BigInt(quantity) })));
};

main(process.argv.slice(2)).catch(({ message, cause }) => {
  // A network error says its reason in its cause.
  console.error(cause?.code ? `${message}: ${cause.code}` : message);
  process.exitCode = 1;
});
