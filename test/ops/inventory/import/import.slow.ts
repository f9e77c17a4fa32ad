import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { spawnOps } from '../../../support/ops/ops.ts';
import {
  csvOf,
  exported,
  fileWith,
  importText,
  tablesOfStage,
} from '../../../support/ops/ops-stage.ts';
import { ended } from '../../../support/process/tools.ts';

tablesOfStage();

test.each(['fail', 'skip', 'replace'])(
  'imports that are killed, and then one that completes, leave what a single one would (%s)',
  async (onConflict) => {
    const text = csvOf(2_000, 2);
    if (onConflict === 'replace') {
      await importText(csvOf(2_000, 1));
    }
    const file = fileWith(text);
    const start = () =>
      spawnOps(['inventory', 'import', file, '--on-conflict', onConflict, '--local']);
    for (let kills = 0; kills < 8; kills++) {
      const child = start();
      // `ended` listens from here on, because the import may end on its own before the kill.
      const end = ended(child);
      await sleep(Math.random() * 4_000);
      child.kill('SIGKILL');
      await end;
    }
    expect(await ended(start())).toMatchObject({ code: 0 });
    expect(await exported()).toBe(text);
  },
);
