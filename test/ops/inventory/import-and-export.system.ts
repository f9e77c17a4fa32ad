import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { csv, inventoryStage } from '../../support/ops/inventory.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';

const stage = inventoryStage();

test('a killed import that is run again imports the whole file', async () => {
  const total = 200;
  const entries = Array.from({ length: total }, (_entry, petId) => `${petId},1,sold`);
  const file = csv(...entries);
  let writes = 0;
  const words = ['inventory', 'import', '-', '--local', '--port', stage.port()];
  const child = spawn(process.execPath, ['ops/main.ts', ...words], { cwd: project });
  atEnd(() => child.kill('SIGKILL'));
  stage.react = async ({ operation, forward }) => {
    writes += operation === 'UpdateItem' ? 1 : 0;
    return writes === total / 2 ? void child.kill('SIGKILL') : forward();
  };
  child.stdin.end(file);
  expect(await once(child, 'exit')).toStrictEqual([null, 'SIGKILL']);
  const written = (await stage.entries()).length;
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(total);

  stage.react = ({ forward }) => forward();
  // Writes that the child sent before it was killed may still be applied during this import.
  const { code, output } = await stage.local(['import', '-', '--json'], { input: file });
  const { created, unchanged, ...others } = JSON.parse(output);
  expect({ code, done: created + unchanged, others }).toStrictEqual({
    code: 0,
    done: total,
    others: { read: total, replaced: 0, skipped: 0 },
  });
  expect(unchanged).toBeGreaterThanOrEqual(written);
  expect(await stage.entries()).toStrictEqual(entries);
});
