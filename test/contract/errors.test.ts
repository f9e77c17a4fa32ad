import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import { textOf } from '../support/docs/markdown.ts';

test('docs/errors.md has a row for each code, with its anchor and its status', () => {
  const rows = textOf('docs/errors.md').matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` \| (\d{3}) \|/gm);
  const documented = [...rows].map(([, anchor, code, status]) => ({ anchor, code, status }));
  const expected = Object.entries(statusOfCode).map(([code, status]) => ({
    anchor: code,
    code,
    status: String(status),
  }));
  const byCode = (one: { code?: string }, other: { code?: string }) =>
    String(one.code).localeCompare(String(other.code));
  expect(documented.sort(byCode)).toStrictEqual(expected.sort(byCode));
});
