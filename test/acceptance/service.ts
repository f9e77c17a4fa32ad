import { randomBytes } from 'node:crypto';
import { env } from 'node:process';
import { send as sendTo, serviceAt } from '../support/http/http-client.ts';
import type { Message } from '../support/http/raw-request.ts';
import { repeated } from './repeated.ts';
import { readSettings } from './settings.ts';

/** An entry of the inventory. Its integers are exact. */
export interface InventoryItem {
  petId: bigint;
  quantity: bigint;
  status: string;
}

export const { baseUrl, apiKey, stageName, readOnly, keyMayWrite } = readSettings(env);

/** Whether a run changes entries, which it sets back. */
export const mayChange = keyMayWrite && !readOnly;

/** A 429 is asked again so often before its check fails. */
const retries = { retries: 3 };

export const { send, sendBare, patch } = serviceAt(baseUrl, apiKey, retries);

/** Sends a request below the stage, so that `/v1` is a part of its path, without the API key. */
export const sendBelowStage = (message: Message) =>
  sendTo(baseUrl.replace(/\/v1$/, ''), message, retries);

/** Of a longer list, a read-only run reads only the beginning, since prod may have millions. */
const mostCharacters = readOnly ? 1_000_000 : undefined;

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

const firstList = async (): Promise<InventoryItem[]> => {
  let items: InventoryItem[] = [];
  await repeated(async () => {
    items = await list().catch((error: NodeJS.ErrnoException) => {
      // The reason of a connection that failed to several addresses has no message.
      throw error.message ? error : new Error(`${baseUrl} cannot be reached: ${error.code}`);
    });
  })();
  if (items.length === 0) {
    throw new Error(
      'The list is empty, so nothing was checked. Import an entry (petstore inventory import), ' +
        'and run the checks again.',
    );
  }
  return items;
};

/** The entries when the checks begin. At least one. */
export const items = await firstList();

/** The entries whose quantities checks change. Their petIds would be the first to lose digits. */
export const smallest = items[0] as InventoryItem;
export const largest = items.at(-1) as InventoryItem;

/** A petId without an entry: one of 2^62 negative ones, which nobody else is likely to use. */
export const absent = -1n - BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());

const middle = items[Math.floor((items.length - 1) / 2)] as InventoryItem;

/**
 * The entry of requests that must be rejected; of a read-only run, nobody's. Checks that change
 * entries leave it alone if there are three.
 */
export const rejecting: InventoryItem = readOnly ? { ...middle, petId: absent } : middle;
