import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { newFile, replacingFile } from '../../../ops/cli/output.ts';

const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? '', 'output-'));
const path = join(directory, 'stock.csv');

afterEach(() => {
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
});

/** Returns what the directory holds: each file with its content and its mode. */
const held = () =>
  readdirSync(directory).map((name) => {
    const file = join(directory, name);
    return [name, readFileSync(file, 'utf8'), statSync(file).mode & 0o777];
  });

test('a new file takes the place of an old one when it is whole', async () => {
  writeFileSync(path, 'old');
  {
    await using file = await replacingFile(path);
    // Another export to the same place, which begins before this one ends.
    await using _other = await replacingFile(path);
    expect(readFileSync(path, 'utf8')).toBe('old');
    await file.finish('new');
  }
  expect(held()).toStrictEqual([['stock.csv', 'new', 0o600]]);
});

test('what is no regular file stays as it is, and a link does, too', async () => {
  writeFileSync(path, 'old');
  const link = join(directory, 'link.csv');
  symlinkSync(path, link);
  for (const other of [directory, link, '/dev/null']) {
    await expect(replacingFile(other)).rejects.toThrow(
      `${other} is not a regular file. If it is a link, name the file that it leads to.`,
    );
  }
});

test('a file for a key takes the place of no other', async () => {
  {
    await using first = await newFile(path);
    await expect(newFile(path)).rejects.toMatchObject({ code: 'EEXIST' });
    await first.finish('key');
  }
  await expect(newFile(path)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(held()).toStrictEqual([['stock.csv', 'key', 0o600]]);
});

test.each([newFile, replacingFile])(
  'of a file that does not become whole, nothing is left',
  async (begin) => {
    {
      await using _unfinished = await begin(path);
    }
    const onFullDisk = async () => {
      await using file = await begin(path);
      await file.finish(half() as Iterable<string> as string);
    };
    await expect(onFullDisk()).rejects.toThrow('no space left');
    expect(held()).toStrictEqual([]);
  },
);

/** A text of which a disk takes only half. */
function* half() {
  yield 'half';
  throw new Error('no space left');
}
