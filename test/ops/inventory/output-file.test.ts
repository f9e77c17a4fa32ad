import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { outputFile, replaceFile } from '../../../ops/inventory/output-file.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-output-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const pathOf = (name: string): string => join(directory, name);
const contentOf = (name: string): string => readFileSync(pathOf(name), 'utf8');
const { signal } = new AbortController();

const write = (name: string) => replaceFile(outputFile(pathOf(name)), 'new text', signal);

test('a new file is created, with nothing beside it', async () => {
  await write('out');
  expect(contentOf('out')).toBe('new text');
  expect(readdirSync(directory)).toEqual(['out']);
});

test.each([0o600, 0o666])('a file is replaced, and keeps its permissions %i', async (mode) => {
  writeFileSync(pathOf('out'), 'an earlier, longer text');
  chmodSync(pathOf('out'), mode);
  await write('out');
  expect(contentOf('out')).toBe('new text');
  expect(statSync(pathOf('out')).mode & 0o777).toBe(mode);
  expect(readdirSync(directory)).toEqual(['out']);
});

test('a link stays, and the file that it leads to is replaced', async () => {
  mkdirSync(pathOf('elsewhere'));
  writeFileSync(pathOf('elsewhere/target'), 'earlier');
  symlinkSync('elsewhere/target', pathOf('out'));
  await write('out');
  expect(readlinkSync(pathOf('out'))).toBe('elsewhere/target');
  expect(contentOf('elsewhere/target')).toBe('new text');
  expect(readdirSync(pathOf('elsewhere'))).toEqual(['target']);
});

test('an interrupted write leaves the file as it was', async () => {
  writeFileSync(pathOf('out'), 'earlier');
  const writing = replaceFile(outputFile(pathOf('out')), 'new text', AbortSignal.abort());
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
  expect(contentOf('out')).toBe('earlier');
  expect(readdirSync(directory)).toEqual(['out']);
});

test('a text that cannot take its place leaves nothing beside it', async () => {
  const file = outputFile(pathOf('out'));
  mkdirSync(pathOf('out'));
  await expect(replaceFile(file, 'new text', signal)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(`Cannot write ${file.path}: EISDIR: `),
  });
  expect(readdirSync(directory)).toEqual(['out']);
});

test('nothing is created or changed before the text is there', () => {
  writeFileSync(pathOf('old'), 'earlier');
  outputFile(pathOf('new'));
  outputFile(pathOf('old'));
  expect(readdirSync(directory)).toEqual(['old']);
  expect(contentOf('old')).toBe('earlier');
});

const hint = 'Give --out a file, or leave it out: the export goes to standard output then.';

test.each(['/dev/null', '/', tmpdir()])('%s is no regular file', (path) => {
  expect(() => outputFile(path)).toThrow(
    expect.objectContaining({
      code: 'invalid',
      message: `${path} is no regular file.`,
      details: { hint },
    }),
  );
});

test.each([
  { what: 'in a directory that does not exist', name: 'nowhere/out', error: 'ENOENT' },
  { what: 'below a file', name: 'file/out', error: 'ENOTDIR' },
  { what: 'that is a link to nothing', name: 'astray', error: 'ENOENT' },
  { what: 'that is a link to itself', name: 'circle', error: 'ELOOP' },
])('a path $what is rejected', ({ name, error }) => {
  writeFileSync(pathOf('file'), 'earlier');
  symlinkSync('nowhere', pathOf('astray'));
  symlinkSync('circle', pathOf('circle'));
  const message = expect.stringContaining(`Cannot write ${pathOf(name)}: ${error}: `);
  expect(() => outputFile(pathOf(name))).toThrow(
    expect.objectContaining({ code: 'invalid', message }),
  );
});
