import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Program, runClient } from '../support/clients/program.ts';
import { testRightPet } from '../support/clients/right-pet.ts';
import {
  cutConnection,
  cutEntry,
  failure,
  list,
  preconditionFailed,
  type Reply,
  scriptedService,
} from '../support/clients/scripted-service.ts';
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

testRightPet('the example on Node 24', async () => [process.execPath, setQuantity]);

/** Sells some of a pet, of which 12 are listed, at a service that sends these replies first. */
const sell = async (quantity: number, replies: Reply[]) => {
  const { baseUrl, methods, conditions } = await scriptedService(replies);
  const program: Program = [process.execPath, `${folder}/dist/sell.js`];
  const end = await runClient(program, { baseUrl, apiKey: 'key' }, '1', `${quantity}`);
  return { ...end, methods: methods(), conditions: conditions() };
};

describe('sell.js', () => {
  test('sends what is left, on condition that the stock is as listed', async () => {
    expect(await sell(3, [])).toStrictEqual({
      code: 0,
      output: 'Sold 3, 9 are left.\n',
      errors: '',
      methods: ['GET', 'PATCH'],
      conditions: ['"12-available"'],
    });
  });

  test('subtracts from the stock in a 412, without another list', async () => {
    expect(await sell(3, [list, preconditionFailed('"5-pending"')])).toStrictEqual({
      code: 0,
      output: 'Sold 3, 2 are left.\n',
      errors: '',
      methods: ['GET', 'PATCH', 'PATCH'],
      conditions: ['"12-available"', '"5-pending"'],
    });
  });

  test('sends the same again after a 503, because nothing was sold', async () => {
    expect(await sell(3, [list, failure(503, { 'Retry-After': '1' })])).toStrictEqual({
      code: 0,
      output: 'Sold 3, 9 are left.\n',
      errors: '',
      methods: ['GET', 'PATCH', 'PATCH'],
      conditions: ['"12-available"', '"12-available"'],
    });
  });

  test('updates nothing if too few are listed', async () => {
    const { code, errors, methods } = await sell(13, []);
    expect({ code, methods }).toStrictEqual({ code: 1, methods: ['GET'] });
    expect(errors).toMatch('Only 12 are left.');
  });

  test.each([
    {
      what: 'too few are left after a 412',
      reply: preconditionFailed('"2-sold"'),
      says: 'Only 2 are left.',
    },
    { what: 'a 412 has no ETag', reply: failure(412), says: /responded with 412/ },
    {
      what: 'a 500 leaves open whether they are sold',
      reply: failure(500),
      says: /^They may be sold, or not: .* responded with 500/,
    },
    { what: 'a connection is cut', reply: cutConnection, says: /^They may be sold, or not: / },
    { what: 'a response is cut off', reply: cutEntry, says: /^They may be sold, or not: / },
  ])('sends no second update if $what, and says so', async ({ reply, says }) => {
    const { code, errors, methods } = await sell(3, [list, reply]);
    expect({ code, methods }).toStrictEqual({ code: 1, methods: ['GET', 'PATCH'] });
    expect(errors).toMatch(says);
  });
});
