import { afterAll, expect, test } from '@jest/globals';
import { rejectedQuantity, setBack } from './changing.ts';
import { repeated } from './repeated.ts';
import { absent, list, readOnly, rejecting } from './service.ts';

let isChanged = false;

// A read-only run has asked for no change of an entry.
(readOnly ? test.skip : test)(
  'no rejected request creates, changes or removes an entry',
  repeated(async () => {
    const now = new Map((await list()).map(({ petId, quantity }) => [petId, quantity]));
    // Another client may have set another quantity.
    isChanged = now.get(rejecting.petId) === rejectedQuantity;
    const isRemoved = !now.has(rejecting.petId);
    expect({ isChanged, isCreated: now.has(absent), isRemoved }).toStrictEqual({
      isChanged: false,
      isCreated: false,
      isRemoved: false,
    });
  }),
);

afterAll(async () => {
  if (isChanged) {
    await setBack(rejecting);
  }
});
