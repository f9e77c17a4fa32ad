import { expect } from '@jest/globals';
import type { Service } from '../../support/http/http-client.ts';

export interface Entry {
  petId: bigint;
  quantity: bigint;
  status: string;
}

/** A service, and its inventory when the checks begin. */
export interface Checked extends Service {
  entries: Entry[];
  /** A petId without an entry. */
  absent: bigint;
  /**
   * The petId in requests that must be rejected: an entry's, or `absent` if the run is read-only.
   */
  rejecting: bigint;
}

/** Whether the run sends only requests that change nothing on a correct service. */
export const readOnly = process.env.ACCEPTANCE_READ_ONLY !== undefined;

/** Returns every entry, sorted by petId. */
export const list = async (service: Service): Promise<Entry[]> => {
  const { status, body } = await service.send({ path: '/inventory' });
  expect(status).toBe(200);
  return (body as Entry[]).toSorted((a, b) => (a.petId < b.petId ? -1 : 1));
};

export const findInventory = async (service: Service): Promise<Checked> => {
  const entries = await list(service);
  const petIds = new Set(entries.map(({ petId }) => petId));
  let absent = -BigInt(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
  while (petIds.has(absent)) {
    absent -= 1n;
  }
  const rejecting = readOnly ? absent : entries[0]?.petId;
  if (rejecting === undefined) {
    throw new Error(
      'The list is empty. The checks of PATCH change and restore the quantity of an entry.',
    );
  }
  return { ...service, entries, absent, rejecting };
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
  const found = await list(service);
  expect(found.map(({ petId }) => petId)).not.toContain(service.absent);
  const entry = service.entries.find(({ petId }) => petId === service.rejecting);
  if (entry) {
    await restoring(service, entry, async () => expect(found).toContainEqual(entry));
  }
};
