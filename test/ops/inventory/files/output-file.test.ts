import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { beforeEach, expect, test } from '@jest/globals';
import type { Terminal } from '../../../../ops/cli/terminal.ts';
import { mayReplace, openOutput } from '../../../../ops/inventory/files/output-file.ts';
import { temporaryDirectory } from '../../../support/local/local-run.ts';
import { ended, project } from '../../../support/process/tools.ts';

const terminalOf = (signal = new AbortController().signal): Terminal =>
  ({ stdout: new PassThrough(), signal }) as unknown as Terminal;

let directory = '';
beforeEach(() => {
  directory = join(temporaryDirectory, crypto.randomUUID());
  mkdirSync(directory);
});

const pathOf = (name: string): string => join(directory, name);
const contentOf = (name: string): string => readFileSync(pathOf(name), 'utf8');

const write = async (path: string, pieces: Iterable<string> = ['new ', 'text']) => {
  const writeTo = await openOutput(terminalOf(), path);
  await writeTo(pieces);
};

test('a new file is created', async () => {
  await write(pathOf('out'));
  expect(contentOf('out')).toBe('new text');
  expect(readdirSync(directory)).toEqual(['out']);
});

test('a file is replaced, and keeps its mode', async () => {
  writeFileSync(pathOf('out'), 'an earlier, longer text');
  chmodSync(pathOf('out'), 0o662);
  await write(pathOf('out'));
  expect(contentOf('out')).toBe('new text');
  expect(statSync(pathOf('out')).mode & 0o777).toBe(0o662);
  expect(readdirSync(directory)).toEqual(['out']);
});

test('a file with the longest name that is possible is replaced', async () => {
  const name = 'x'.repeat(255);
  writeFileSync(pathOf(name), 'earlier');
  await write(pathOf(name));
  expect(contentOf(name)).toBe('new text');
});

test.each([
  { what: 'a link to a file', links: { out: 'target' }, isThere: true },
  { what: 'a link to no file yet', links: { out: 'target' }, isThere: false },
  { what: 'links to a file', links: { out: 'link', link: 'target' }, isThere: true },
  { what: 'links to no file yet', links: { out: 'link', link: 'target' }, isThere: false },
])('$what: the file that they lead to is written', async ({ links, isThere }) => {
  if (isThere) {
    writeFileSync(pathOf('target'), 'earlier');
  }
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, pathOf(name));
  }
  await write(pathOf('out'));
  expect(contentOf('target')).toBe('new text');
  const left = Object.keys(links).map((name) => [name, readlinkSync(pathOf(name))]);
  expect(Object.fromEntries(left)).toEqual(links);
  expect(readdirSync(directory).sort()).toEqual([...Object.keys(links), 'target'].sort());
});

test('a file that fails to be written stays as it was', async () => {
  writeFileSync(pathOf('out'), 'earlier');
  const failing = function* () {
    yield 'new';
    throw new Error('broken');
  };
  await expect(write(pathOf('out'), failing())).rejects.toThrow('broken');
  expect(contentOf('out')).toBe('earlier');
  expect(readdirSync(directory)).toEqual(['out']);
});

test('a file whose writing is interrupted stays as it was', async () => {
  writeFileSync(pathOf('out'), 'earlier');
  const interruption = new AbortController();
  const writeTo = await openOutput(terminalOf(interruption.signal), pathOf('out'));
  const endless = function* () {
    for (;;) {
      yield 'new';
      interruption.abort();
    }
  };
  await expect(writeTo(endless())).rejects.toMatchObject({ name: 'AbortError' });
  expect(contentOf('out')).toBe('earlier');
  expect(readdirSync(directory)).toEqual(['out']);
});

test('nothing is created or changed before the text is there', async () => {
  writeFileSync(pathOf('old'), 'earlier');
  await openOutput(terminalOf(), pathOf('new'));
  await openOutput(terminalOf(), pathOf('old'));
  expect(readdirSync(directory)).toEqual(['old']);
  expect(contentOf('old')).toBe('earlier');
});

test('a FIFO is opened only when the text is there, and is written directly', async () => {
  spawnSync('mkfifo', [pathOf('fifo')]);
  const writeTo = await openOutput(terminalOf(), pathOf('fifo'));
  const reader = spawn('cat', [pathOf('fifo')]);
  await writeTo(['new ', 'text']);
  expect(await textOf(reader.stdout)).toBe('new text');
  expect(statSync(pathOf('fifo')).isFIFO()).toBe(true);
});

test('Ctrl-C ends the wait for the reader of a FIFO', async () => {
  spawnSync('mkfifo', [pathOf('fifo')]);
  const interruption = new AbortController();
  const writeTo = await openOutput(terminalOf(interruption.signal), pathOf('fifo'));
  const writing = writeTo(['text']);
  interruption.abort();
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
  // Releases the thread that opens the FIFO.
  await ended(spawn('cat', [pathOf('fifo')]));
});

test('a device is written directly', async () => {
  await write('/dev/null');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('an error while a file is written names the file', async () => {
  await expect(write('/dev/full')).rejects.toMatchObject({
    code: 'invalid',
    message: 'Cannot write /dev/full: ENOSPC: no space left on device, write.',
  });
});

test('- is standard output, which stays open', async () => {
  const terminal = terminalOf();
  const writeTo = await openOutput(terminal, '-');
  await writeTo(['new ', 'text']);
  terminal.stdout.end(' and more');
  expect(await textOf(terminal.stdout as PassThrough)).toBe('new text and more');
});

test.each([
  ['write', undefined],
  ['open', 'broken'],
])(
  'of a broken standard output, only another error than that of a %s is passed on',
  async (syscall, message) => {
    const terminal = terminalOf();
    const writeTo = await openOutput(terminal, '-');
    terminal.stdout.destroy(Object.assign(new Error('broken'), { syscall }));
    const error = await writeTo(['text']).catch((thrown: Error) => thrown.message);
    expect(error).toBe(message);
  },
);

test('a directory is rejected', async () => {
  await expect(openOutput(terminalOf(), directory)).rejects.toMatchObject({
    code: 'invalid',
    message: `${directory} is a directory.`,
  });
});

test('a socket is rejected', async () => {
  const server = createServer().listen(pathOf('socket'));
  await expect(openOutput(terminalOf(), pathOf('socket'))).rejects.toMatchObject({
    code: 'invalid',
    message: `${pathOf('socket')} is a socket.`,
  });
  server.close();
});

test.each([
  ['in a directory that does not exist', 'nowhere/out', /^Cannot write .*\/out: ENOENT: .*\.$/],
  ['that ends as a directory does', 'nowhere/', /^There is no directory .*\/nowhere\/\.$/],
  ['below a file', 'file/out', /^Cannot write .*: ENOTDIR: .*\.$/],
  ['whose name is too long', 'x'.repeat(256), /^Cannot write .*: ENAMETOOLONG: .*\.$/],
  ['that is a link to itself', 'circle', /^Cannot write .*: ELOOP: .*\.$/],
  ['that is a link to nowhere', 'astray', /^Cannot write .*\/astray: ENOENT: .*\.$/],
])('a path %s is rejected before the text is there', async (_what, name, message) => {
  writeFileSync(pathOf('file'), 'earlier');
  symlinkSync('circle', pathOf('circle'));
  symlinkSync('nowhere/out', pathOf('astray'));
  const error = { code: 'invalid', message: expect.stringMatching(message) };
  await expect(openOutput(terminalOf(), pathOf(name))).rejects.toMatchObject(error);
  expect(readdirSync(directory).sort()).toEqual(['astray', 'circle', 'file']);
});

/** Opens a path in the current directory, as a user who is not root, whom no mode stops. */
const openAsUser = `
  import { openOutput } from '${join(project, 'ops/inventory/files/output-file.ts')}';
  if (process.getuid() === 0) {
    process.setgroups([]);
    process.setgid(65534);
    process.setuid(65534);
  }
  await openOutput({}, process.argv[1]).then(
    () => console.log('open'),
    ({ cause }) => console.log(cause.code),
  );
`;

const [writable, readOnly] = [0o777, 0o555];

test.each([
  { name: 'new', directoryMode: writable, fileMode: writable, result: 'open' },
  { name: 'old', directoryMode: writable, fileMode: writable, result: 'open' },
  { name: 'new', directoryMode: readOnly, fileMode: writable, result: 'EACCES' },
  { name: 'old', directoryMode: readOnly, fileMode: writable, result: 'EACCES' },
  { name: 'old', directoryMode: writable, fileMode: readOnly, result: 'EACCES' },
])('modes: $name, directory $directoryMode, old file $fileMode: $result', async (row) => {
  writeFileSync(pathOf('old'), 'earlier');
  chmodSync(pathOf('old'), row.fileMode);
  chmodSync(directory, row.directoryMode);
  const program = ['--input-type=module', '--eval', openAsUser, row.name];
  const { output, errors } = await ended(spawn(process.execPath, program, { cwd: directory }));
  expect({ output, errors }).toEqual({ output: `${row.result}\n`, errors: '' });
  expect(readdirSync(directory)).toEqual(['old']);
});

const [root, alice, bob] = [0, 1_000, 1_001];
const [sticky, ordinary] = [0o1777, 0o777];

test.each([
  { user: bob, file: alice, directory: { uid: root, mode: sticky }, may: false },
  { user: alice, file: alice, directory: { uid: root, mode: sticky }, may: true },
  { user: bob, file: alice, directory: { uid: bob, mode: sticky }, may: true },
  { user: root, file: alice, directory: { uid: bob, mode: sticky }, may: true },
  { user: bob, file: alice, directory: { uid: root, mode: ordinary }, may: true },
])(
  'user $user may replace a file of $file in $directory: $may',
  ({ user, file, directory, may }) => {
    expect(mayReplace(user, { uid: file }, directory)).toBe(may);
  },
);
