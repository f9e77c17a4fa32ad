// docs/performance.md claims that a cold start needs little of the CPU that the bare SDK needs.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Handler, handlersOf } from '../../bench/handlers.ts';
import { measureHandler } from '../../bench/measure-handler.ts';
import { quantile } from '../../bench/report.ts';
import { readTemplate } from '../../local/assembly/template.ts';
import { issueLocalKey } from '../../local/local-key.ts';
import { createTables, startEngine } from '../../local/tables/tables.ts';
import { loadSample } from '../../ops/inventory/load-sample.ts';
import { atEnd } from '../support/process/at-end.ts';
import { assembly } from '../support/stack/assembly.ts';

const coldCpu = async (handler: Handler): Promise<number> =>
  (await measureHandler(handler, { warmUp: 0, measured: 0 })).cold.cpuMs;

test('a cold start takes less than 0.7 of the CPU time that the bare SDK takes', async () => {
  const template = readTemplate(assembly, 'staging');
  const { endpoint, close } = await startEngine();
  atEnd(close);
  const client = await createTables(template, endpoint);
  await loadSample({ client, TableName: template.output('InventoryTableName') });
  const keys = { client, TableName: template.output('ApiKeysTableName') };
  const apiKey = await issueLocalKey(keys, 'staging');
  const directory = mkdtempSync(join(tmpdir(), 'bundles-'));
  const { update, bareSdk } = handlersOf({ template, endpoint, apiKey, directory });
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 15; round++) {
    ours.push(await coldCpu(update));
    bare.push(await coldCpu(bareSdk));
  }
  client.destroy();
  // Other load on the machine only adds to it.
  expect(quantile(ours, 0.25) / quantile(bare, 0.25)).toBeLessThan(0.7);
});
