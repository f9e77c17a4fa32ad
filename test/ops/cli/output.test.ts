import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { newFile, replacingFile } from '../../../ops/cli/output.ts';

const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? '', 'output-'));
const path = join(directory, 'stock.csv');

test('a new file takes the place of an old one when it is whole, and only its owner can read it', async () => {
  writeFileSync(path, 'old');
  {
    await using file = await replacingFile(path);
    // Another export to the same place, which begins before this one ends.
    await using _other = await replacingFile(path);
    expect(readFileSync(path, 'utf8')).toBe('old');
    await file.finish('new');
  }
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toStrictEqual(['stock.csv']);
});

test('what is no regular file stays as it is, and a link does, too', async () => {
  const link = join(directory, 'link.csv');
  symlinkSync(path, link);
  for (const other of [directory, link, '/dev/null']) {
    await expect(replacingFile(other)).rejects.toThrow(
      `${other} is not a regular file. If it is a link, name the file that it leads to.`,
    );
  }
  rmSync(link);
});

test('a file that is not finished leaves nothing behind', async () => {
  writeFileSync(path, 'old');
  {
    await using _new = await newFile(join(directory, 'shop.key'));
    await using _replacing = await replacingFile(path);
  }
  expect(readdirSync(directory)).toStrictEqual(['stock.csv']);
  expect(readFileSync(path, 'utf8')).toBe('old');
});

test('a file for a key is only the owner’s, and takes the place of no other', async () => {
  const file = join(directory, 'shop.key');
  {
    await using first = await newFile(file);
    await expect(newFile(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await first.finish('key');
  }
  await expect(newFile(file)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(file, 'utf8')).toBe('key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(file);
});
