// A local run keeps the contract, as `npm run acceptance` checks it.
import { env } from 'node:process';
import { expect, jest } from '@jest/globals';
import { startService } from '../../local/service.ts';
import { loadSample } from '../../ops/inventory/load-sample.ts';
import { atEnd } from '../support/process/at-end.ts';
import { assembly } from '../support/stack/assembly.ts';

jest.spyOn(console, 'log').mockReturnValue();
const service = await startService({
  stageName: 'staging',
  port: 0,
  assembly: async () => assembly,
  jsonLogs: false,
});
atEnd(() => service[Symbol.asyncDispose]());
const { baseUrl, apiKey, client, dynamodb } = service;
const TableName = dynamodb.inventory;
await loadSample({ client, TableName });
service.serve();

/** Returns the quantity of each petId. */
const stock = async () => {
  const { Items = [] } = await client.scan({ TableName });
  return new Map(Items.map(({ petId, quantity }) => [petId?.N, quantity?.N]));
};
const before = await stock();
atEnd(async () => {
  const after = await stock();
  expect([...after.keys()].sort()).toStrictEqual([...before.keys()].sort());
  const changed = [...before.keys()].filter((petId) => before.get(petId) !== after.get(petId));
  const meant = ['-9223372036854775808', '9223372036854775807'];
  expect(meant).toStrictEqual(expect.arrayContaining(changed));
});

Object.assign(env, { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey });
await import('../acceptance/contract.acceptance.ts');
