import { randomBytes, randomInt } from 'node:crypto';
import { env } from 'node:process';
import { test } from '@jest/globals';
import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { json, send as sendTo, serviceAt } from '../support/http/http-client.ts';
import type { HttpResponse, Message } from '../support/http/raw-request.ts';
import { untilDeployed } from './deployment.ts';

/** An entry of the inventory. Its integers are exact. */
export interface InventoryItem {
  petId: bigint;
  quantity: bigint;
  status: string;
}

/** Only requests to this machine may be in plain text, because each holds the key. */
const baseUrls =
  /^(https:\/\/[\w.-]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\]))(:\d+)?(\/[\w-]+)?\/v1$/;

const baseUrl = env.PETSTORE_BASE_URL ?? '';
if (!baseUrls.test(baseUrl)) {
  throw new Error(
    'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: it ' +
      'begins with https:// (on this machine, http:// will do) and ends in /v1.',
  );
}
export const apiKey = env.PETSTORE_API_KEY ?? '';
/** The stage whose key it is. */
export const [, stageName = ''] = /^petstore_([a-z]+)_/.exec(apiKey) ?? [];
if (!isWellFormedApiKey(apiKey, stageName)) {
  throw new Error('PETSTORE_API_KEY must be an API key as `petstore keys create` has printed it.');
}

const isProd = stageName === 'prod';

/** Tests what changes stock, or reads a whole list: the stock of prod is somebody's, and may be large. */
export const testInStaging = isProd ? test.skip : test;

/** A 429 is asked again so often before its check fails. */
const retries = { retries: 3 };

export const { send, sendBare, patch } = serviceAt(baseUrl, apiKey, retries);

/** Sends a request below the stage, so that `/v1` is a part of its path, without the API key. */
export const sendBelowStage = (message: Message) =>
  sendTo(baseUrl.replace(/\/v1$/, ''), message, retries);

/** Returns the entries, sorted by petId; in prod, only those with which a long list begins. */
export const list = async (): Promise<InventoryItem[]> => {
  const mostCharacters = isProd ? 1_000_000 : undefined;
  const { status, text, body } = await send({ path: '/inventory', mostCharacters });
  if (status !== 200) {
    throw new Error(`GET ${baseUrl}/inventory responded ${status} ${text}`);
  }
  return (body as InventoryItem[]).sort((a, b) => (a.petId < b.petId ? -1 : 1));
};

await untilDeployed(baseUrl);

/** The entries when the checks begin. */
export const items = await list();

/** The entries whose quantities checks change. Their petIds would be the first to lose digits. */
export const [smallest, largest] = [items.at(0), items.at(-1)] as [InventoryItem, InventoryItem];
if (smallest === undefined) {
  throw new Error('The list is empty, so nothing was checked. Import an entry first.');
}

/** A petId without an entry: one of 2^62 negative ones, which nobody else is likely to use. */
export const absent = -1n - BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());

let lastQuantity = BigInt(randomInt(1_000_000, 1_000_000_000));

/** Returns a quantity that nothing has had yet. */
export const newQuantity = (): bigint => {
  lastQuantity += 1n;
  return lastQuantity;
};

export const etagOf = ({ quantity, status }: Pick<InventoryItem, 'quantity' | 'status'>): string =>
  `"${quantity}-${status}"`;

export interface Update {
  quantity: bigint;
  ifMatch?: string | undefined;
  key?: string | undefined;
}

/** Sends an update, perhaps with a condition or a key. It is not repeated, except after a 429. */
export const update = (petId: bigint, { quantity, ifMatch, key }: Update): Promise<HttpResponse> =>
  patch(petId, `{"quantity":${quantity}}`, {
    ...json,
    ...(ifMatch && { 'If-Match': ifMatch }),
    ...(key && { 'Idempotency-Key': key }),
  });

/** An ETag in a form that no entry has. */
export const etagOfNone = '"00-sold"';

/** Returns an entry as it is now: the 412 of an ETag that matches none says it. */
export const look = async (petId: bigint): Promise<InventoryItem> => {
  const { status, headers } = await update(petId, { quantity: 0n, ifMatch: etagOfNone });
  const [, digits, petStatus] = /^"(\d+)-(\w+)"$/.exec(headers.etag ?? '') ?? [];
  if (digits === undefined || petStatus === undefined) {
    throw new Error(`petId ${petId} could not be looked at: ${status}.`);
  }
  return { petId, quantity: BigInt(digits), status: petStatus };
};
