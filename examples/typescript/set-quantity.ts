// Sets a pet's quantity in the inventory. Usage: node set-quantity.ts PET_ID QUANTITY (Node 24)
import { setTimeout } from 'node:timers/promises';
import type { components } from './openapi.ts';

declare global {
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source: string }) => unknown,
    ): unknown;
  }
}

/** Parses JSON with petId and quantity as bigint, so that every digit is exact. */
const parse = (text: string) =>
  JSON.parse(text, (key, value, { source }) =>
    key === 'petId' || key === 'quantity' ? BigInt(source) : value,
  );

const stringify = (value: unknown) =>
  JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? JSON.rawJSON(`${member}`) : member,
  );

const { PETSTORE_BASE_URL = '', PETSTORE_API_KEY = '' } = process.env;
if (!/^https?:/.test(PETSTORE_BASE_URL) || !/^\w+$/.test(PETSTORE_API_KEY)) {
  throw new Error('PETSTORE_BASE_URL must be a URL, and PETSTORE_API_KEY a key.');
}
const headers = { Authorization: `Bearer ${PETSTORE_API_KEY}`, 'Content-Type': 'application/json' };

/**
 * Repeats a request after 429, 5xx, a network error or a list that was cut off, but not after
 * another status.
 */
const call = async (path: string, request: RequestInit = {}, attempt = 1): Promise<unknown> => {
  let isLast = attempt === 5;
  let seconds = 2 ** attempt * (0.25 + Math.random() / 4);
  try {
    const signal = AbortSignal.timeout(330_000);
    const response = await fetch(PETSTORE_BASE_URL + path, { ...request, headers, signal });
    const text = await response.text();
    if (response.ok) {
      return parse(text); // Throws if a list ends without its closing bracket.
    }
    isLast ||= response.status < 500 && response.status !== 429;
    seconds = Number(response.headers.get('Retry-After') ?? seconds);
    throw new Error(`${response.status} ${text}`);
  } catch (error) {
    if (isLast) {
      throw error;
    }
  }
  await setTimeout(1000 * seconds);
  return call(path, request, attempt + 1);
};

const [petId = '', quantity = ''] = process.argv.slice(2);
if (!/^-?\d+ \d+$/.test(`${petId} ${quantity}`)) {
  throw new Error('Usage: node set-quantity.ts PET_ID QUANTITY');
}
const inventory = (await call('/inventory')) as components['schemas']['InventoryItem'][];
const entry = inventory.find((item) => item.petId === BigInt(petId));
if (!entry) {
  throw new Error(`No pet ${petId}.`);
}
const body = stringify({ quantity: BigInt(quantity) });
console.log(stringify(await call(`/inventory/${entry.petId}`, { method: 'PATCH', body })));
