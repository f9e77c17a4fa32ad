import { expect, test } from '@jest/globals';
import { type Checked, list, restoring } from './inventory.ts';
import { repeated } from './repeated.ts';

/**
 * Defines the check, after all others, that no rejected request created or changed an entry. Other
 * clients may change the rest.
 */
export const unchanged = (service: Checked): void => {
  if (!service.readOnly) {
    test(
      'no rejected request creates or changes an entry',
      repeated(() => expectUnchanged(service)),
    );
  } else if (service.keyMayWrite) {
    test(
      'no rejected request creates an entry',
      repeated(() => expectAbsent(service)),
    );
  }
};

const expectUnchanged = async (service: Checked): Promise<void> => {
  const found = await list(service);
  expect(found.map(({ petId }) => petId)).not.toContain(service.absent);
  const item = service.items.find(({ petId }) => petId === service.rejecting);
  if (item === undefined) {
    return;
  }
  const expectFound = async () => expect(found).toContainEqual(item);
  await (service.keyMayWrite ? restoring(service, item, expectFound) : expectFound());
};

/** An update of an entry that a request had created would be a 200. */
const expectAbsent = async ({ patch, absent }: Checked): Promise<void> =>
  expect((await patch(absent, '{"quantity":7}')).status).toBe(404);
