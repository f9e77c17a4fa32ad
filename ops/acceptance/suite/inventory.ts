import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Service } from './http-client.ts';
import type { InventoryItem } from './inventory-item.ts';
import { listBeginning } from './list-beginning.ts';

/** A service, and its inventory when the checks begin. */
export interface Checked extends Service {
  /** Whether the run sends only requests that change nothing on a correct service. */
  readOnly: boolean;
  /** Whether the API key may write. */
  keyMayWrite: boolean;
  /** Every entry, sorted by petId, or in a read-only run the first ones. */
  items: InventoryItem[];
  /** A petId without an entry. */
  absent: bigint;
  /**
   * The petId in requests that must be rejected: an entry's, or `absent` if the run is read-only.
   */
  rejecting: bigint;
}

/** How many entries a read-only run reads, since prod may have millions. */
const readAtMost = 10_000;

/** Returns every entry, sorted by petId. */
export const list = async (service: Service): Promise<InventoryItem[]> => {
  const { status, body } = await service.send({ path: '/inventory' });
  expect(status).toBe(200);
  return (body as InventoryItem[]).toSorted((a, b) => (a.petId < b.petId ? -1 : 1));
};

export const findInventory = async (
  service: Checked,
): Promise<Pick<Checked, 'items' | 'absent' | 'rejecting'>> => {
  const items = service.readOnly ? await firstItems(service) : await list(service);
  const petIds = new Set(items.map(({ petId }) => petId));
  let absent = randomPetId();
  while (petIds.has(absent)) {
    absent -= 1n;
  }
  const rejecting = service.readOnly ? absent : items[0]?.petId;
  if (rejecting === undefined) {
    throw new Error(
      'The list is empty. The checks of PATCH change and restore the quantity of an entry.',
    );
  }
  return { items, absent, rejecting };
};

/** Returns one of 2^62 negative petIds, which no other program is likely to use. */
const randomPetId = (): bigint => -1n - BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());

const firstItems = async (service: Service): Promise<InventoryItem[]> => {
  const { items, isWhole } = await listBeginning(service, readAtMost);
  if (!isWhole) {
    const read = readAtMost.toLocaleString('en');
    process.stderr.write(
      `The list was closed after ${read} entries: the others, and its end, were not checked.\n`,
    );
  }
  return items;
};

/**
 * Runs a check that changes an entry's quantity, and restores the quantity however the check ends.
 */
export const restoring = async (
  service: Service,
  { petId, quantity }: InventoryItem,
  check: () => Promise<void>,
) => {
  try {
    await check();
  } finally {
    const { status } = await service.patch(petId, `{"quantity":${quantity}}`);
    if (status !== 200) {
      console.error(
        `petId ${petId} had the quantity ${quantity}, which could not be restored (${status}).`,
      );
    }
  }
};
