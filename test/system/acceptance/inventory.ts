import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Service } from '../../support/http/http-client.ts';
import type { Entry } from './entry.ts';
import { listBeginning } from './list-beginning.ts';

/** A service, and its inventory when the checks begin. */
export interface Checked extends Service {
  /** Whether the run sends only requests that change nothing on a correct service. */
  readOnly: boolean;
  /** Every entry, or in a read-only run the first ones. */
  entries: Entry[];
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
export const list = async (service: Service): Promise<Entry[]> => {
  const { status, body } = await service.send({ path: '/inventory' });
  expect(status).toBe(200);
  return (body as Entry[]).toSorted((a, b) => (a.petId < b.petId ? -1 : 1));
};

export const findInventory = async (service: Service, readOnly: boolean): Promise<Checked> => {
  const entries = readOnly ? await firstEntries(service) : await list(service);
  const petIds = new Set(entries.map(({ petId }) => petId));
  let absent = randomPetId();
  while (petIds.has(absent)) {
    absent -= 1n;
  }
  const rejecting = readOnly ? absent : entries[0]?.petId;
  if (rejecting === undefined) {
    throw new Error(
      'The list is empty. The checks of PATCH change and restore the quantity of an entry.',
    );
  }
  return { ...service, readOnly, entries, absent, rejecting };
};

/** Returns one of 2^62 negative petIds, which no other program is likely to use. */
const randomPetId = (): bigint => -1n - BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());

const firstEntries = async (service: Service): Promise<Entry[]> => {
  const { entries, isWhole } = await listBeginning(service, readAtMost);
  if (!isWhole) {
    const read = readAtMost.toLocaleString('en');
    process.stderr.write(
      `The list was closed after ${read} entries: the others, and its end, were not checked.\n`,
    );
  }
  return entries;
};

/**
 * Runs a check that changes an entry's quantity, and restores the quantity however the check ends.
 */
export const restoring = async (
  service: Service,
  { petId, quantity }: Entry,
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

/**
 * Fails if a rejected request created or changed an entry, and restores that entry. Others may
 * change the rest.
 */
export const expectUntouched = async (service: Checked): Promise<void> => {
  if (service.readOnly) {
    // An update of an entry that a request had created would be a 200.
    expect((await service.patch(service.absent, '{"quantity":7}')).status).toBe(404);
    return;
  }
  const found = await list(service);
  expect(found.map(({ petId }) => petId)).not.toContain(service.absent);
  const entry = service.entries.find(({ petId }) => petId === service.rejecting);
  if (entry) {
    await restoring(service, entry, async () => expect(found).toContainEqual(entry));
  }
};
