import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryDirectory } from '../../../infra/assembly/temporary-directory.ts';

test('a bundle in a temporary directory is CommonJS, despite a package.json above', () => {
  const parent = mkdtempSync(join(tmpdir(), 'petstore-temporary-'));
  writeFileSync(join(parent, 'package.json'), '{"type":"module"}');
  const bundle = join(temporaryDirectory(parent), 'index.js');
  writeFileSync(bundle, 'exports.handler = () => {};console.log(typeof module)');
  expect(execFileSync(process.execPath, [bundle]).toString()).toBe('object\n');
});
