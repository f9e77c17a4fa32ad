import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { temporaryDirectory } from '../../../infra/assembly/temporary-directory.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'petstore-temporary-'));
});

/** The id of no process: systems give smaller ones. */
const ended = 99_999_999;

const create = (name: string): string => {
  mkdirSync(join(parent, name, 'asset.1'), { recursive: true });
  writeFileSync(join(parent, name, 'asset.1/index.js'), '');
  return name;
};

test('a directory that a killed process has left is removed, and no other', () => {
  create(`petstore-inventory-${hostname()}-${ended}-Xy12aB`);
  const others = [
    create(`petstore-inventory-${hostname()}-${process.ppid}-Xy12aB`),
    create(`petstore-inventory-${hostname()}-1-Xy12aB`),
    create(`petstore-inventory-${hostname()}2-${ended}-Xy12aB`),
    create(`petstore-inventory-${hostname()}-${ended}-2-Xy12aB`),
    create(`petstore-inventory-runs-${ended}`),
    create('notes'),
  ];
  const own = temporaryDirectory(parent);
  expect(readdirSync(parent).sort()).toEqual([...others, basename(own)].sort());
});

test('what another user has left stays', () => {
  const left = create(`petstore-inventory-${hostname()}-${ended}-Xy12aB`);
  jest.spyOn(process, 'getuid').mockReturnValue((process.getuid?.() ?? 0) + 1);
  temporaryDirectory(parent);
  jest.restoreAllMocks();
  expect(existsSync(join(parent, left))).toBe(true);
});
