import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { prepareDataDirectory } from '../../../local/tables/data-directory.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { atEnd } from '../../support/process/at-end.ts';

const newDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-data-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

test('a directory is created with its parents', async () => {
  const directory = join(newDirectory(), 'a/b');
  await prepareDataDirectory(directory);
  expect(readdirSync(directory)).toEqual(['in-use']);
});

test('an empty directory can be used', async () => {
  await expect(prepareDataDirectory(newDirectory())).resolves.toBeUndefined();
});

test('a directory that another run is using cannot be used', async () => {
  const directory = newDirectory();
  await prepareDataDirectory(directory);
  const { close } = await startDynalite(directory);
  atEnd(close);
  await expect(startDynalite(directory)).rejects.toThrow('another run is using it.');
});

/** Makes a directory as runs leave it behind. */
const usedDirectory = async (): Promise<string> => {
  const directory = newDirectory();
  await prepareDataDirectory(directory);
  for (let run = 0; run < 3; run++) {
    const { close } = await startDynalite(directory);
    await close();
  }
  return directory;
};

test('a directory that an earlier run has used can be used', async () => {
  await expect(prepareDataDirectory(await usedDirectory())).resolves.toBeUndefined();
});

test.each(['CURRENT', 'LOCK', 'LOG', 'LOG.old', 'MANIFEST-000002', '000005.ldb', '000003.log'])(
  'a file called %s belongs to a data directory',
  async (name) => {
    const directory = newDirectory();
    mkdirSync(join(directory, 'in-use'));
    writeFileSync(join(directory, name), '');
    await expect(prepareDataDirectory(directory)).resolves.toBeUndefined();
  },
);

test.each(['notes.txt', '.DS_Store', 'package.json', 'CURRENT.bak', 'my-000005.ldb', 'in-use-not'])(
  'a directory that also holds %s is refused, and stays as it is',
  async (name) => {
    const directory = await usedDirectory();
    writeFileSync(join(directory, name), '');
    const before = readdirSync(directory);
    const reason = `it holds ${name}, which is no part of a local run's tables.`;
    await expect(prepareDataDirectory(directory)).rejects.toThrow(reason);
    expect(readdirSync(directory)).toEqual(before);
  },
);

test('the database of another program is refused, and stays as it is', async () => {
  const directory = newDirectory();
  const other = await startDynalite(directory);
  await other.close();
  const before = readdirSync(directory);
  const reason = 'it holds the database of another program.';
  await expect(prepareDataDirectory(directory)).rejects.toThrow(reason);
  expect(readdirSync(directory)).toEqual(before);
});

test('a file is refused', async () => {
  const file = join(newDirectory(), 'file');
  writeFileSync(file, '');
  await expect(prepareDataDirectory(file)).rejects.toThrow('ENOTDIR');
});
