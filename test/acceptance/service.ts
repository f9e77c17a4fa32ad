import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import { send, serviceAt } from '../support/http/http-client.ts';
import type { HttpResponse, Message } from '../support/http/raw-request.ts';
import { listBeginning } from './list-beginning.ts';
import { repeated } from './repeated.ts';
import type { Settings } from './settings.ts';

/** An entry of the inventory. Its integers are exact. */
export interface InventoryItem {
  petId: bigint;
  quantity: bigint;
  status: string;
}

export type Client = ReturnType<typeof clientOf>;

/** A service, and its inventory when the checks begin. */
export interface Checked extends Client {
  /**
   * Every entry, sorted by petId, or in a read-only run the first ones. At least one.
   * @throws Error that says what is wrong with the list, or that it is empty
   */
  items(): InventoryItem[];
  /** The headers of that list, which was requested with gzip. */
  listHeaders: HttpResponse['headers'];
  /** A petId without an entry: one of 2^62 negative ones, which nobody else is likely to use. */
  absent: bigint;
  /**
   * The petId in requests that must be rejected: an entry's, or `absent` if the run is read-only or
   * there is no entry. Checks that change entries leave it alone if there are three.
   */
  rejecting: bigint;
}

/** Requests the list of a service, and returns what the checks need. */
export const checkedService = async (settings: Settings): Promise<Checked> => {
  const client = clientOf(settings);
  const absent = -1n - BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());
  let list: FoundList = { items: [], headers: {} };
  let problem: unknown;
  try {
    await repeated(async () => {
      list = settings.readOnly ? await firstItems(client) : await wholeList(client);
    })();
  } catch (error) {
    problem = error;
  }
  const { items } = list;
  const one = items[Math.floor((items.length - 1) / 2)]?.petId;
  return {
    ...client,
    items: () => {
      if (problem !== undefined) {
        throw problem;
      }
      return someOf(items);
    },
    listHeaders: list.headers,
    absent,
    rejecting: settings.readOnly ? absent : (one ?? absent),
  };
};

/** A 429 is asked again so often before its check fails. */
const retries = { retries: 3 };

export const clientOf = (settings: Settings) => {
  const { baseUrl, apiKey } = settings;
  const stage = baseUrl.replace(/\/v1$/, '');
  return {
    ...settings,
    ...serviceAt(baseUrl, apiKey, retries),
    /** Sends a request below the stage, so that `/v1` is a part of its path, without the API key. */
    sendBelowStage: (message: Message) => send(stage, message, retries),
  };
};

interface FoundList {
  items: InventoryItem[];
  headers: HttpResponse['headers'];
}

/** How many entries a read-only run reads, since prod may have millions. */
const readAtMost = 10_000;

const firstItems = async (client: Client): Promise<FoundList> => {
  const { isWhole, ...list } = await listBeginning(client, readAtMost);
  if (!isWhole) {
    const read = readAtMost.toLocaleString('en');
    process.stderr.write(
      `The list was closed after ${read} entries: the rest of it was not checked.\n`,
    );
  }
  return list;
};

const wholeList = async (client: Client): Promise<FoundList> => {
  const message = { path: '/inventory', headers: { 'Accept-Encoding': 'gzip' } };
  const { status, body, headers } = await client.send(message);
  expect(status).toBe(200);
  const items = (body as InventoryItem[]).sort((a, b) => (a.petId < b.petId ? -1 : 1));
  return { items, headers };
};

/** Returns every entry, sorted by petId. */
export const list = async (client: Client): Promise<InventoryItem[]> =>
  (await wholeList(client)).items;

/** Returns what the list has of a petId; undefined if there is no entry. */
export const listed = async (client: Client, petId: bigint): Promise<InventoryItem | undefined> =>
  (await list(client)).find((item) => item.petId === petId);

const someOf = (items: InventoryItem[]): InventoryItem[] => {
  if (items.length === 0) {
    throw new Error(
      'The list is empty, so this was not checked. Import an entry (petstore inventory import), ' +
        'and run the checks again.',
    );
  }
  return items;
};
