import { expect, test } from '@jest/globals';
import { spawnOps } from '../../support/ops/ops.ts';
import { csvOf, exported, importText, tablesOfStage } from '../../support/ops/ops-stage.ts';
import { ended } from '../../support/process/tools.ts';

const stage = tablesOfStage();

test('a killed import that is run again imports the whole file', async () => {
  const total = 200;
  const text = csvOf(total);
  const child = spawnOps(['inventory', 'import', '-', '--local'], { input: text });
  let writes = 0;
  stage.react = async ({ operation, forward }) => {
    writes += operation === 'PutItem' ? 1 : 0;
    return writes === total / 2 ? void child.kill('SIGKILL') : forward();
  };
  expect((await ended(child)).code).toBe(null);

  stage.react = ({ forward }) => forward();
  // Writes that the child sent before it was killed may still be applied during this import.
  const { code, output } = await importText(text, '--json');
  const { created, unchanged } = JSON.parse(output);
  expect({ code, written: created + unchanged }).toEqual({ code: 0, written: total });
  expect(created).toBeGreaterThan(0);
  expect(unchanged).toBeGreaterThan(0);
  expect(await exported()).toBe(text);
});
