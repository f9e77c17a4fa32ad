import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { violations } from './openapi.ts';

const { PETSTORE_BASE_URL, PETSTORE_API_KEY, READ_ONLY, KEY_ACCESS } = process.env;
if (!PETSTORE_BASE_URL?.endsWith('/v1') || !PETSTORE_API_KEY) {
  throw new Error('PETSTORE_BASE_URL, which ends in /v1, or PETSTORE_API_KEY is not set.');
}

export const baseUrl = PETSTORE_BASE_URL;
export const apiKey = PETSTORE_API_KEY;

/** Whether to send only requests that change nothing on a correct service. */
export const isReadOnly = READ_ONLY === 'true';
export const keyMayWrite = KEY_ACCESS !== 'read';

/** An entry of the inventory. Its integers are exact. */
export interface InventoryItem {
  petId: bigint;
  quantity: bigint;
  status: string;
}

interface Message {
  method?: string;
  /** Below the base URL. */
  path: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** Makes JSON.parse read integers as bigint, so that no digit is lost. */
const exactIntegers = (_key: string, value: unknown, { source = '' }: { source?: string }) =>
  /^-?\d+$/.test(source) ? BigInt(source) : value;

/** What a caller sees of a response. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Returns what a caller sees of a response. Throws if that breaks openapi.yaml. */
const checked = (method: string, url: string, response: Response, text: string): Answer => {
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  const problems = violations(method, new URL(url).pathname, { status, headers, text });
  if (problems.length > 0) {
    throw new Error(`${method} ${url} responded ${status} ${text}\n${problems.join('\n')}`);
  }
  const body = text === '' ? '' : JSON.parse(text, exactIntegers);
  return { status, headers, body };
};

/** Sends a request, and again after a 429, without a key. Throws if a response breaks openapi.yaml. */
export const sendBare = async (message: Message, root = baseUrl, retries = 3): Promise<Answer> => {
  const { method = 'GET', path, headers = {}, body } = message;
  const url = root + path;
  // For a body of bytes, fetch adds no Content-Type.
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const response = await fetch(url, { method, headers, ...(bytes && { body: bytes }) });
  const result = checked(method, url, response, await response.text());
  if (result.status === 429 && retries > 0) {
    await sleep(1_000 * Number(result.headers['retry-after']));
    return sendBare(message, root, retries - 1);
  }
  return result;
};

const authorization = { Authorization: `Bearer ${apiKey}` };

/** Sends a request with the API key. */
export const send = (message: Message) =>
  sendBare({ ...message, headers: { ...authorization, ...message.headers } });

export const json = { 'Content-Type': 'application/json' };

/** Sends an update with the API key. */
export const patch = (
  petId: bigint | string,
  body: string | undefined,
  headers: Record<string, string> = json,
) => send({ method: 'PATCH', path: `/inventory/${petId}`, headers, body });

/** Returns the entries, sorted by petId; of a read-only run, the first ones: prod may have millions. */
export const list = async (): Promise<InventoryItem[]> => {
  const url = `${baseUrl}/inventory`;
  const response = await fetch(url, { headers: authorization });
  const { body } = checked('GET', url, response, await beginningOf(response));
  expect(response.status).toBe(200);
  return (body as InventoryItem[]).sort((a, b) => (a.petId < b.petId ? -1 : 1));
};

const beginningOf = async (response: Response): Promise<string> => {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (isReadOnly && text.length > 100_000) {
      // Leaving the loop closes the connection.
      return `${text.slice(0, text.lastIndexOf('}'))}}]`;
    }
  }
  return text;
};

/** A petId without an entry: one of 2^62 negative ones, which no other program is likely to use. */
export const absent = -1n - BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());

/** Runs a check that changes an entry's quantity, and restores the quantity however it ends. */
export const restoring = async ({ petId, quantity }: InventoryItem, check: () => Promise<void>) => {
  try {
    await check();
  } finally {
    const { status } = await patch(petId, `{"quantity":${quantity}}`);
    if (status !== 200) {
      console.error(`petId ${petId} had the quantity ${quantity}, which is not restored.`);
    }
  }
};

/** Returns what checks compare of an Error response. */
export const errorResponse = (status: number, code: string, message: string) => ({
  status,
  body: { code, message, status: BigInt(status) },
});
