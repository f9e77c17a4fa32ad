import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import dynalite from 'dynalite';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { startTables } from '../../../local/tables/tables.ts';

const table = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};
const stackOf = (...names: string[]) =>
  ({
    ref: (id: string) => `fixture-${id}`,
    resources: () => new Map(names.map((name) => [name, table])),
  }) as unknown as SynthesizedStack;

test('an engine at an IPv6 address gets the tables that it lacks, and goes on running', async () => {
  const engine = dynalite({ createTableMs: 0 }).listen(0, '::1');
  await once(engine, 'listening');
  const endpoint = `http://[::1]:${(engine.address() as AddressInfo).port}`;
  const created: string[][] = [];
  for (const names of [['A'], ['A', 'B'], ['A', 'B']]) {
    const tables = await startTables(stackOf(...names), { dataDirectory: undefined, endpoint });
    expect(tables.endpoint).toBe(endpoint);
    created.push(tables.created);
    await tables.close();
  }
  expect(created).toEqual([['fixture-A'], ['fixture-B'], []]);
  engine.close();
});
