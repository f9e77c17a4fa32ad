// A local run keeps the contract, as `npm run acceptance` checks it.
import { env } from 'node:process';
import { expect } from '@jest/globals';
import { localRun } from '../support/local/local-run.ts';
import { atEnd } from '../support/process/at-end.ts';

const { baseUrl, apiKey, tables } = await localRun();

/** Returns the quantity of each petId. */
const stock = async () => {
  const { Items = [] } = await tables.client.scan({ TableName: tables.inventory });
  return new Map(Items.map(({ petId, quantity }) => [petId?.N, quantity?.N]));
};
const before = await stock();
atEnd(async () => {
  const after = await stock();
  expect([...after.keys()].sort()).toStrictEqual([...before.keys()].sort());
  const changed = [...before.keys()].filter((petId) => before.get(petId) !== after.get(petId));
  expect(changed.sort()).toStrictEqual(['-9223372036854775808', '9223372036854775807']);
});

Object.assign(env, { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey });
await import('../acceptance/contract.acceptance.ts');
