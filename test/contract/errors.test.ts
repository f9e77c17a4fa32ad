import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import { textOf } from '../support/docs/markdown.ts';

test('docs/errors.md has a row for each code, with its anchor and its status', () => {
  const rows = textOf('docs/errors.md').matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` \| (\d{3}) \|/gm);
  const documented = Array.from(rows, ([, anchor, code, status]) => `${anchor} ${code} ${status}`);
  const codes = Object.entries(statusOfCode).map(([code, status]) => `${code} ${code} ${status}`);
  expect(documented.sort()).toStrictEqual(codes.sort());
});
