import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ended, spawnProgram, temporaryDirectory } from '../../support/local-run.ts';
import { spawnOps } from '../../support/ops.ts';
import { fileWith, type InventoryStage, importText, inventoryStage } from '../../support/ops-inventory.ts';

let stage: InventoryStage;
beforeAll(async () => {
  stage = await inventoryStage();
});
beforeEach(() => stage.reset());

const csv = (size: number, quantity: number) => {
  const rows = Array.from({ length: size }, (_value, i) => `${9_007_199_254_740_993n + BigInt(i)},${quantity},sold\n`);
  return `petId,quantity,status\n${rows.join('')}`;
};

test.each(['fail', 'skip', 'replace'])(
  'kills at random points, and a last run, leave the table as one whole run does (%s)',
  async (onConflict) => {
    const text = csv(2_000, 2);
    if (onConflict === 'replace') {
      await importText(csv(2_000, 1));
    }
    const file = fileWith(text);
    const start = () => spawnOps(['inventory', 'import', file, '--on-conflict', onConflict, '--local']);
    for (let kills = 0; kills < 8; kills++) {
      const child = start();
      // It may end by itself before.
      const exit = once(child, 'exit');
      await sleep(Math.random() * 4_000);
      child.kill('SIGKILL');
      await exit;
    }
    expect(await ended(start())).toMatchObject({ code: 0 });
    expect(await stage.csv()).toBe(text);
  },
);

/** Prints the peak of the memory of a process in MiB when it ends. */
const tellPeak = join(temporaryDirectory, 'tell-peak.mjs');
writeFileSync(
  tellPeak,
  `import { writeSync } from 'node:fs';
  process.on('exit', () => writeSync(1, 'peak ' + process.resourceUsage().maxRSS / 1024));`,
);

const peakOf = async (text: () => Generator<string>): Promise<number> => {
  const env = { ...process.env, NODE_OPTIONS: `--import=${tellPeak}` };
  const child = spawnProgram('ops/petstore.cjs', ['inventory', 'import', '-', '--dry-run', '--local'], env);
  child.stdin?.on('error', () => {});
  const result = ended(child);
  for (const chunk of text()) {
    if (child.exitCode !== null || !child.stdin?.writable) {
      break;
    }
    if (!child.stdin.write(chunk)) {
      await once(child.stdin, 'drain').catch(() => {});
    }
  }
  child.stdin?.end();
  return Number(/peak ([\d.]+)/.exec((await result).output)?.[1]);
};

const endless = (start: string, piece: string) =>
  function* () {
    yield start;
    for (let i = 0; i < 10_000; i++) {
      yield piece.repeat(65_536 / piece.length);
    }
  };

test.each<[what: string, text: () => Generator<string>]>([
  ['a line', endless('petId,quantity,status\n', 'x')],
  ['empty cells', endless('petId,quantity,status\n', ',')],
  ['an open quote', endless('petId,quantity,status\n"', 'xxxxxxx\n')],
  ['a line of NDJSON', endless('{"', 'x')],
  ['an element', endless('["', 'x')],
  ['nesting', endless('[', '[')],
  ['blanks', endless('', ' ')],
  ['blanks in an array', endless('[', ' ')],
])('640 MB of %s take no more than 400 MiB', async (_what, text) => {
  expect(await peakOf(text)).toBeLessThan(400);
});
