import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { privateDirectory } from '../../../ops/stage/private-directory.ts';

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
