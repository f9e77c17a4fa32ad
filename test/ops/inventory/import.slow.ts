import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { spawnOps } from '../../support/ops.ts';
import { csvOf, exported, fileWith, importText, tablesOfStage } from '../../support/ops-stage.ts';
import { ended } from '../../support/tools.ts';

tablesOfStage();

test.each(['fail', 'skip', 'replace'])(
  'kills at random points, and a last run, leave the table as one whole run does (%s)',
  async (onConflict) => {
    const text = csvOf(2_000, 2);
    if (onConflict === 'replace') {
      await importText(csvOf(2_000, 1));
    }
    const file = fileWith(text);
    const start = () => spawnOps(['inventory', 'import', file, '--on-conflict', onConflict, '--local']);
    for (let kills = 0; kills < 8; kills++) {
      const child = start();
      // It may end by itself before it is killed.
      const end = ended(child);
      await sleep(Math.random() * 4_000);
      child.kill('SIGKILL');
      await end;
    }
    expect(await ended(start())).toMatchObject({ code: 0 });
    expect(await exported()).toBe(text);
  },
);

/** Prints the peak of the memory of a process in MiB when it ends. */
const tellPeak = `import { writeSync } from 'node:fs';
  process.on('exit', () => writeSync(1, 'peak ' + process.resourceUsage().maxRSS / 1024));`;

test.each([
  ['a line', 'petId,quantity,status\n', 'x'],
  ['empty cells', 'petId,quantity,status\n', ','],
  ['an open quote', 'petId,quantity,status\n"', 'xxxxxxx\n'],
  ['a line of NDJSON', '{"', 'x'],
  ['an element', '["', 'x'],
  ['nesting', '[', '['],
  ['blanks', '', ' '],
  ['blanks in an array', '[', ' '],
])('640 MB of %s take no more than 400 MiB', async (_what, start, piece) => {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tellPeak)}` };
  const child = spawnOps(['inventory', 'import', '-', '--dry-run', '--local'], { env, input: null });
  const endless = function* () {
    yield start;
    yield* Array(10_000).fill(piece.repeat(65_536 / piece.length));
  };
  const result = ended(child);
  // The command may end before it has read all.
  await pipeline(Readable.from(endless()), child.stdin as Writable).catch(() => {});
  const { output } = await result;
  expect(Number(/peak ([\d.]+)/.exec(output)?.[1])).toBeLessThan(400);
});
