import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { spawnOps } from '../../support/ops/ops.ts';
import { csvOf, exported, importText, tablesOfStage } from '../../support/ops/ops-stage.ts';
import { atEnd } from '../../support/process/at-end.ts';
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

const module = import.meta.resolve('../../../ops/inventory/output-file.ts');

/** Root could write everywhere, so the script runs as another user, to whom /tmp is open. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

test('a file that this user cannot write or replace is rejected before its text is there', () => {
  const directory = mkdtempSync('/tmp/petstore-unwritable-');
  const closed = join(directory, 'closed');
  atEnd(() => {
    chmodSync(closed, 0o700);
    rmSync(directory, { recursive: true });
  });
  mkdirSync(closed);
  writeFileSync(join(closed, 'old'), '');
  writeFileSync(join(directory, 'old'), '');
  // The script may write closed/old, but not the directory in which it would be replaced.
  chmodSync(join(closed, 'old'), 0o666);
  chmodSync(closed, 0o555);
  chmodSync(join(directory, 'old'), 0o444);
  chmodSync(directory, 0o777);

  const paths = ['closed/old', 'closed/new', 'old', 'new'].map((name) => join(directory, name));
  const script = `
    import { outputFile } from ${JSON.stringify(module)};
    ${isRoot ? `process.setuid(${nobody});` : ''}
    for (const path of ${JSON.stringify(paths)}) {
      try {
        outputFile(path);
        console.log('accepted');
      } catch ({ message }) {
        console.log(message.replace(/: EACCES: .*/, ' (EACCES)'));
      }
    }`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: '/tmp' },
    encoding: 'utf8',
  });
  const rejected = paths.slice(0, 3).map((path) => `Cannot write ${path} (EACCES)\n`);
  expect(stdout).toBe(`${rejected.join('')}accepted\n`);
});
