import { randomBytes, randomInt } from 'node:crypto';
import { env } from 'node:process';
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

/** Whether stock may change. That of prod is somebody's. */
export const mayChange = stageName !== 'prod';

/** A 429 is asked again so often before its check fails. */
const retries = { retries: 3 };

export const { send, sendBare, patch } = serviceAt(baseUrl, apiKey, retries);

/** Sends a request below the stage, so that `/v1` is a part of its path, without the API key. */
export const sendBelowStage = (message: Message) =>
  sendTo(baseUrl.replace(/\/v1$/, ''), message, retries);

/** Of a longer list, only the beginning is read in prod, which may have millions. */
const mostCharacters = mayChange ? undefined : 1_000_000;

/** Returns the entries, sorted by petId. */
export const list = async (): Promise<InventoryItem[]> => {
  const { status, text, body } = await send({ path: '/inventory', mostCharacters });
  if (status !== 200) {
    throw new Error(`GET ${baseUrl}/inventory responded ${status} ${text}`);
  }
  return (body as InventoryItem[]).sort((a, b) => (a.petId < b.petId ? -1 : 1));
};

/** Returns what the list has of a petId; undefined if there is no entry. */
export const listed = async (petId: bigint): Promise<InventoryItem | undefined> =>
  (await list()).find((item) => item.petId === petId);

await untilDeployed(baseUrl);

/** The entries when the checks begin. */
export const items = await list();
if (items.length === 0) {
  throw new Error('The list is empty, so nothing was checked. Import an entry first.');
}

/** The entries whose quantities checks change. Their petIds would be the first to lose digits. */
export const smallest = items[0] as InventoryItem;
export const largest = items.at(-1) as InventoryItem;

/** A petId without an entry: one of 2^62 negative ones, which nobody else is likely to use. */
export const absent = -1n - BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());

/** The petId of requests that are rejected for what they say: nobody's in prod. */
export const rejecting = mayChange ? smallest.petId : absent;

let lastQuantity = BigInt(randomInt(1_000_000, 1_000_000_000));

/** Returns a quantity that nothing has had yet. */
export const newQuantity = (): bigint => {
  lastQuantity += 1n;
  return lastQuantity;
};

export const etagOf = ({ quantity, status }: Omit<InventoryItem, 'petId'>): string =>
  `"${quantity}-${status}"`;

interface ConditionalUpdate {
  quantity: bigint;
  ifMatch?: string;
  key?: string;
}

/** Sends an update with a condition, or a key. It is not repeated, except after a 429. */
export const updateIf = (
  petId: bigint,
  { quantity, ifMatch, key }: ConditionalUpdate,
): Promise<HttpResponse> => {
  return patch(petId, `{"quantity":${quantity}}`, {
    ...json,
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  });
};

/** An ETag in a form that no entry has. */
export const etagOfNone = '"00-sold"';

/** Returns an entry as it is now: the 412 of an ETag that matches none says it. */
export const look = async ({ petId }: InventoryItem): Promise<InventoryItem> => {
  const { status, headers } = await updateIf(petId, { quantity: 0n, ifMatch: etagOfNone });
  const [, digits, petStatus] = /^"(\d+)-(\w+)"$/.exec(headers.etag ?? '') ?? [];
  if (digits === undefined || petStatus === undefined) {
    throw new Error(`petId ${petId} could not be looked at: ${status}.`);
  }
  return { petId, quantity: BigInt(digits), status: petStatus };
};
