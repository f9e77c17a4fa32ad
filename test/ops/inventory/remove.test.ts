import { expect, test } from '@jest/globals';
import type { Passing } from '../../support/dynamodb/dynamodb-proxy.ts';
import { inventoryStage } from '../../support/ops/inventory.ts';

const stage = inventoryStage();

/** One more than are removed at the same time. */
const petIds = Array.from({ length: 65 }, (_, petId) => String(petId));

const failure = (name: string) => ({ status: 400, body: { __type: `x#${name}`, message: 'No.' } });

test('a removal that ends early counts as left what somebody else has changed', async () => {
  await stage.put(...petIds.map((petId) => `${petId},7,sold`));
  const lastBegins = Promise.withResolvers<void>();
  stage.react = async ({ operation, body, forward }: Passing) => {
    if (operation !== 'DeleteItem') {
      return forward();
    }
    const petId = body.Key.petId.N;
    if (petId === '0') {
      return failure('ConditionalCheckFailedException');
    }
    if (petId === petIds.at(-1)) {
      // It has waited until another one was done.
      lastBegins.resolve();
    }
    await lastBegins.promise;
    return failure('AccessDeniedException');
  };
  const { code, errors } = await stage.local(['remove', ...petIds]);
  expect({ code, left: /And \d+ more\./.exec(errors)?.[0] }).toStrictEqual({
    code: 1,
    left: 'And 45 more.',
  });
});
