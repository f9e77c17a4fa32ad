import { expect, test } from '@jest/globals';
import { rejectedQuantity, setBack } from './changing.ts';
import { repeated } from './repeated.ts';
import { type Checked, type InventoryItem, list } from './service.ts';

/**
 * Defines the check, after all others, that no rejected request created or changed an entry. Other
 * clients may have changed it.
 */
export const unchanged = (service: Checked): void => {
  if (!service.readOnly) {
    test('no rejected request creates or changes an entry', () => expectUnchanged(service));
  } else if (service.keyMayWrite) {
    test(
      'no rejected request creates an entry',
      repeated(() => expectAbsent(service)),
    );
  }
};

const expectUnchanged = async (service: Checked): Promise<void> => {
  const { absent, rejecting } = service;
  const original = service.items().find(({ petId }) => petId === rejecting);
  let now: InventoryItem[] = [];
  // The list alone is repeated: setting back would hide what was wrong.
  await repeated(async () => {
    now = await list(service);
  })();
  const { quantity } = now.find(({ petId }) => petId === rejecting) ?? {};
  if (original !== undefined && quantity === rejectedQuantity) {
    await setBack(service, original);
  }
  expect(quantity).not.toBe(rejectedQuantity);
  expect(now.some(({ petId }) => petId === absent)).toBe(false);
};

/** An update of an entry that a request had created would be a 200. */
const expectAbsent = async ({ patch, absent }: Checked): Promise<void> =>
  expect((await patch(absent, `{"quantity":${rejectedQuantity}}`)).status).toBe(404);
