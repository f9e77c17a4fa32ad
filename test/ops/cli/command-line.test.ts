import { expect, test } from '@jest/globals';
import { shellQuoted } from '../../../ops/cli/command-line.ts';

test.each([
  ['4be1c0ff', '4be1c0ff'],
  ['./cdk.out', './cdk.out'],
  ['shop, Berlin', "'shop, Berlin'"],
  ["Ann's", "'Ann'\\''s'"],
  ['$(id)', "'$(id)'"],
  ['', "''"],
])('%j is quoted for a shell as %s', (text, quoted) => {
  expect(shellQuoted(text)).toBe(quoted);
});
