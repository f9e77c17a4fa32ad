import { beforeAll, expect, test } from '@jest/globals';
import { testClocks, withJumpingClocks } from '../support/clients/clocks.ts';
import { type Program, runClient } from '../support/clients/program.ts';
import { testRestarts, testSaleFiles } from '../support/clients/restarts.ts';
import { testRightPet } from '../support/clients/right-pet.ts';
import {
  cutConnection,
  failure,
  list,
  preconditionFailed,
  type Reply,
  scriptedService,
  withoutKey,
} from '../support/clients/scripted-service.ts';
import { newFile, testSellers, withSeller } from '../support/clients/sellers.ts';
import { testSetQuantityExample } from '../support/clients/set-quantity-example.ts';
import { npmPrograms, olderNode } from '../support/process/installs.ts';
import { outputOf } from '../support/process/tools.ts';

const folder = 'examples/typescript';
const setQuantity = `${folder}/dist/set-quantity.js`;
let node20: string;

// Does what `npm run build` does, on Node 20.
beforeAll(async () => {
  await npmPrograms(folder);
  node20 = await olderNode('test/examples/node-20');
  await outputOf(node20, `${folder}/generate-types.js`);
  await outputOf(node20, `${folder}/node_modules/typescript/bin/tsc`, '--project', folder);
});

testSetQuantityExample(async () => [node20, setQuantity]);

testRightPet('the example on Node 24', async () => [process.execPath, setQuantity], {
  isConditional: false,
});

testClocks(async () => withJumpingClocks(setQuantity));

/** Sells some of a pet, of which 12 are listed, at a service that sends these replies first. */
const sell = async (quantity: number, replies: Reply[]) => {
  const { baseUrl, conditions } = await scriptedService(replies);
  const program: Program = [process.execPath, `${folder}/dist/sell.js`];
  const end = await runClient(program, { baseUrl, apiKey: 'key' }, '1', `${quantity}`, newFile());
  return { ...end, conditions: conditions() };
};

const listOfSold: Reply = (response) => response.end('[{"petId":1,"quantity":12,"status":"sold"}]');

testRestarts('sell.js', [process.execPath, `${folder}/dist/sell.js`]);
testSaleFiles('sell.js', [process.execPath, `${folder}/dist/sell.js`]);

testSellers('sell.js', { count: 24, concurrency: 24 }, () =>
  withSeller([process.execPath, `${folder}/dist/sell.js`]),
);

test.each([
  {
    what: 'too few are listed',
    quantity: 13,
    replies: [],
    says: 'Only 12 are left.',
    updates: 0,
  },
  {
    what: 'they are listed as sold',
    quantity: 3,
    replies: [listOfSold],
    says: 'They are sold.',
    updates: 0,
  },
  {
    what: 'too few are left after a 412',
    quantity: 3,
    replies: [list, preconditionFailed('"2-available"')],
    says: 'Only 2 are left.',
    updates: 1,
  },
  {
    what: 'they are sold after a 412',
    quantity: 3,
    replies: [list, preconditionFailed('"9-sold"')],
    says: 'They are sold.',
    updates: 1,
  },
  {
    what: 'a 412 names the stock that was just refused',
    quantity: 3,
    replies: [list, preconditionFailed('"12-available"')],
    says: 'Nothing was sold: "12-available" was refused although it is the current ETag.',
    updates: 1,
  },
  {
    what: 'a 412 repeats no key',
    quantity: 3,
    replies: [list, withoutKey(preconditionFailed('"5-available"'))],
    says: /^It may have been applied: .* responded with 412/,
    updates: 1,
  },
  {
    what: 'a key is refused after a lost response',
    quantity: 3,
    replies: [list, cutConnection, failure(401, {}, 'unauthorized')],
    says: /^It may have been applied: .* responded with 401/,
    updates: 2,
  },
])('sell.js stops if $what, and says so', async ({ quantity, replies, says, updates }) => {
  const { code, errors, conditions } = await sell(quantity, replies);
  expect({ code, updates: conditions.length }).toStrictEqual({ code: 1, updates });
  expect(errors).toMatch(says);
});
