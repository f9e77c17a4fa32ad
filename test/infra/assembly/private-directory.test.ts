import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { privateDirectory, temporaryDirectory } from '../../../infra/assembly/private-directory.ts';

const user = process.getuid?.() ?? 0;
const pretendToBe = (uid: number) => jest.spyOn(process, 'getuid').mockReturnValue(uid);

let parent: string;
let usual: string;
let foreign: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'petstore-private-'));
  usual = join(parent, `petstore-inventory-user-${user}`);
  foreign = join(parent, `petstore-inventory-user-${user + 1}`);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(parent, { recursive: true });
});

test('is the same for every process of a user, and for nobody else', () => {
  expect([privateDirectory(parent), privateDirectory(parent)]).toEqual([usual, usual]);
  expect(statSync(usual).mode & 0o777).toBe(0o700);
});

test.each([
  ['is open to others', () => mkdirSync(usual), () => chmodSync(usual, 0o755)],
  ['is a symbolic link', () => symlinkSync(tmpdir(), usual), () => {}],
  ['is a file', () => writeFileSync(usual, '', { mode: 0o600 }), () => {}],
  ['belongs to another user', () => mkdirSync(foreign, { mode: 0o700 }), () => pretendToBe(user + 1)],
])('is a temporary one where the usual one %s', (_what, make, change) => {
  make();
  change();
  const directory = privateDirectory(parent);
  expect(directory).toMatch(/petstore-inventory-[^-]+$/);
  expect(dirname(directory)).toBe(parent);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('needs neither a passwd entry nor a home', () => {
  chmodSync(parent, 0o777);
  const script = `
    const { homeDirectory, privateDirectory } = await import(process.argv[1]);
    if (process.getuid() === 0) process.setuid(54321);
    console.log(JSON.stringify([process.getuid(), privateDirectory(process.argv[2]), homeDirectory() !== '']));`;
  const module = join(import.meta.dirname, '../../../infra/assembly/private-directory.ts');
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script, module, parent], {
    env: { TMPDIR: parent },
  });
  const [uid, directory, hasHome] = JSON.parse(output.toString());
  expect([directory, hasHome]).toEqual([join(parent, `petstore-inventory-user-${uid}`), true]);
});

test('Node reads a bundle in a temporary one as CommonJS, whatever lies further up', () => {
  writeFileSync(join(parent, 'package.json'), '{"type":"module"}');
  const bundle = join(temporaryDirectory(parent), 'index.js');
  writeFileSync(bundle, 'exports.handler = () => {};console.log(typeof module)');
  expect(execFileSync(process.execPath, [bundle]).toString()).toBe('object\n');
});
