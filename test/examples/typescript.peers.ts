import { describe, expect, test } from '@jest/globals';
import { testExample } from '../support/clients/example.ts';
import { type Program, runSetQuantity } from '../support/clients/program.ts';
import { testRightPet } from '../support/clients/right-pet.ts';
import {
  cutEntry,
  failure,
  list,
  preconditionFailed,
  type Reply,
  scriptedService,
} from '../support/clients/scripted-service.ts';
import { npmPrograms, olderNode } from '../support/process/installs.ts';
import { outputOf } from '../support/process/tools.ts';

const folder = 'examples/typescript';
const program = `${folder}/dist/set-quantity.js`;

// What `npm run build` does, on Node 20.
testExample(async () => {
  await npmPrograms(folder);
  const node = await olderNode('test/examples/node-20');
  await outputOf(node, `${folder}/generate-types.js`);
  await outputOf(node, `${folder}/node_modules/typescript/bin/tsc`, '--project', folder);
  return [node, program];
});

const sell = async (replies: Reply[], quantity = '3') => {
  const { baseUrl, methods, conditions } = await scriptedService(replies);
  const program: Program = [process.execPath, `${folder}/dist/sell.js`];
  const end = await runSetQuantity(program, { baseUrl, apiKey: 'key' }, '1', quantity);
  return { ...end, methods: methods(), conditions: conditions() };
};

describe('sell.js', () => {
  test('sends what is left, on condition that the stock is as listed', async () => {
    expect(await sell([])).toEqual({
      code: 0,
      output: 'Sold 3, 9 are left.\n',
      errors: '',
      methods: ['GET', 'PATCH'],
      conditions: ['"12-available"'],
    });
  });

  test('subtracts from the stock in a 412, without another list', async () => {
    expect(await sell([list, preconditionFailed('"5-pending"')])).toEqual({
      code: 0,
      output: 'Sold 3, 2 are left.\n',
      errors: '',
      methods: ['GET', 'PATCH', 'PATCH'],
      conditions: ['"12-available"', '"5-pending"'],
    });
  });

  test.each([
    { what: 'too few are listed', replies: [], quantity: '13', says: 'Only 12 are left.' },
    {
      what: 'too few are left after a 412',
      replies: [list, preconditionFailed('"2-sold"')],
      says: 'Only 2 are left.',
    },
    {
      what: 'the entry of a 412 has no ETag',
      replies: [list, failure(412)],
      says: /responded with 412/,
    },
    {
      what: 'a 503 leaves open whether they are sold',
      replies: [list, failure(503)],
      says: /^They may be sold, or not: .* responded with 503/,
    },
    {
      what: 'a response is cut off',
      replies: [list, cutEntry],
      says: /^They may be sold, or not: /,
    },
  ])('stops if $what', async ({ replies, quantity, says }) => {
    const { code, errors, conditions } = await sell(replies, quantity);
    expect(code).toBe(1);
    expect(errors).toMatch(says);
    // No update is sent twice.
    expect(conditions).toHaveLength(quantity === undefined ? 1 : 0);
  });
});

testRightPet('the example on Node 24', async () => [process.execPath, program]);
