import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { localStage } from '../../../ops/stage/local-stage.ts';
import { privateDirectory } from '../../../ops/stage/private-directory.ts';
import { type RunDescription, readRunFiles, writeRunFile } from '../../../ops/stage/run-file.ts';
import { serve } from '../../support/http/serve.ts';

const newDirectory = () => mkdtempSync(join(tmpdir(), 'run-file-'));

const description = { pid: 1, baseUrl: 'http://127.0.0.1:1/staging/v1' } as RunDescription;

test('a run file replaces links of the same name, and leaves alone what they lead to', () => {
  const TMPDIR = newDirectory();
  const victim = join(newDirectory(), 'victim');
  writeFileSync(victim, 'untouched');
  for (const name of ['1.json.new', '1.json']) {
    symlinkSync(victim, join(privateDirectory(TMPDIR, 'runs'), name));
  }
  writeRunFile(description, { TMPDIR });
  expect(readRunFiles({ TMPDIR })).toEqual([description]);
  expect(readFileSync(victim, 'utf8')).toBe('untouched');
});

test('files that are missing or describe no run are skipped', () => {
  const TMPDIR = newDirectory();
  writeRunFile(description, { TMPDIR });
  symlinkSync('nowhere', join(privateDirectory(TMPDIR, 'runs'), '2.json'));
  writeFileSync(join(privateDirectory(TMPDIR, 'runs'), '3.json'), 'half of {');
  writeFileSync(join(privateDirectory(TMPDIR, 'runs'), '4.json'), '{}');
  expect(readRunFiles({ TMPDIR })).toEqual([description]);
});

test.each([
  // No process has so large an id.
  { what: 'was killed', pid: 2 ** 30, url: () => serve(() => {}) },
  // No program can listen on port 0.
  { what: 'has a process id of another one', pid: process.pid, url: () => 'http://127.0.0.1:0' },
])('a run that $what is not found, and its file is removed', async ({ pid, url }) => {
  const TMPDIR = newDirectory();
  writeRunFile({ ...description, pid, baseUrl: `${await url()}/staging/v1` }, { TMPDIR });
  await expect(localStage(undefined, { TMPDIR })).rejects.toThrow('There is no local run.');
  expect(readRunFiles({ TMPDIR })).toEqual([]);
});

test('of several runs, a command needs the port', async () => {
  const TMPDIR = newDirectory();
  const ports: number[] = [];
  for (const pid of [process.pid, process.ppid]) {
    const url = await serve(() => {});
    ports.push(Number(new URL(url).port));
    const dynamodb = { endpoint: url, inventory: `inventory-${pid}`, apiKeys: 'keys' };
    writeRunFile({ ...description, pid, baseUrl: `${url}/staging/v1`, dynamodb }, { TMPDIR });
  }
  await expect(localStage(undefined, { TMPDIR })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'There are several local runs.',
    details: { hint: 'Say which by the port that it has printed: --port PORT' },
  });
  expect(await localStage(ports[1], { TMPDIR })).toMatchObject({
    baseUrl: `http://127.0.0.1:${ports[1]}/staging/v1`,
    options: `--local --port ${ports[1]}`,
    inventory: { TableName: `inventory-${process.ppid}` },
  });
  await expect(localStage(1, { TMPDIR })).rejects.toMatchObject({
    message: 'There is no local run on port 1.',
    details: { hint: 'Start one: npx --no -- petstore start --port 1' },
  });
});

test('a directory of run files behind a link is not read', () => {
  const TMPDIR = newDirectory();
  const theirs = newDirectory();
  writeRunFile(description, { TMPDIR });
  const link = join(theirs, `petstore-inventory-runs-${process.getuid?.()}`);
  symlinkSync(privateDirectory(TMPDIR, 'runs'), link);
  expect(readRunFiles({ TMPDIR: theirs })).toEqual([]);
});

const user = process.getuid?.() ?? 0;

let parent: string;
let usual: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'petstore-private-'));
  usual = join(parent, `petstore-inventory-user-${user}`);
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('the directory is the same for every process of a user, and open to nobody else', () => {
  expect([privateDirectory(parent), privateDirectory(relative('', parent))]).toEqual([
    usual,
    usual,
  ]);
  expect(modeOf(usual)).toBe(0o700);
});

test.each([
  {
    what: 'is open to its group',
    change: () => chmodSync(privateDirectory(parent), 0o710),
  },
  {
    what: 'is open to others',
    change: () => chmodSync(privateDirectory(parent), 0o701),
  },
  {
    what: 'is a symbolic link',
    change: () => symlinkSync(tmpdir(), usual),
  },
  {
    what: 'belongs to another user',
    change: () => {
      mkdirSync(usual.replace(/\d+$/, String(user + 1)), { mode: 0o700 });
      jest.spyOn(process, 'getuid').mockReturnValueOnce(user + 1);
    },
  },
])('the directory is a temporary one if the usual one $what', ({ change }) => {
  change();
  const directory = privateDirectory(parent);
  expect(directory).toMatch(/petstore-inventory-.+-\d+-[^-]+$/);
  expect([dirname(directory), modeOf(directory)]).toEqual([parent, 0o700]);
});
