import { expect, test } from '@jest/globals';
import { loadSample } from '../../../ops/inventory/load-sample.ts';
import { exported, header, importText, tablesOfStage } from '../../support/ops/ops-stage.ts';

const stage = tablesOfStage();

test('the sample has entries at both ends of int64', async () => {
  await loadSample(stage.inventory());
  const csv = await exported();
  expect(csv).toMatch(/^-9223372036854775808,/m);
  expect(csv).toMatch(/^9223372036854775807,/m);
});

test('the sample is not loaded into a table with another entry', async () => {
  const stock = `${header}77777,1,sold\n`;
  await importText(stock);
  await loadSample(stage.inventory());
  expect(await exported()).toBe(stock);
});

test('an interrupted load is completed, and an entry that has changed since is kept', async () => {
  await loadSample(stage.inventory());
  const sample = await exported();
  const [row = ''] = /^\d+,.*\n/m.exec(sample) ?? [];
  const [petId] = row.split(',');
  await stage.reset();
  await importText(`${header}${petId},12345,pending\n`);
  await loadSample(stage.inventory());
  expect(await exported()).toBe(sample.replace(row, `${petId},12345,pending\n`));
});
