import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import {
  attemptTimeout,
  authorizerCacheSeconds,
  firstByteTimeout,
  functionTimeout,
  requestAttempts,
} from '../../functions/shared/time-limits.ts';
import { operations } from '../../infra/service/operations.ts';
import { anchorsOf, textOf } from '../support/docs/markdown.ts';
import { prod } from '../support/stack/stages.ts';
import { stackOf } from '../support/stack/synthesized.ts';

const { all } = stackOf('prod');

test("a table that is made again gets prod's ceiling", () => {
  const { read, write } = prod.ceiling ?? {};
  const given = textOf('docs/stock-and-recovery.md').match(/MaxReadRequestUnits=\S+/g);
  const expected = `MaxReadRequestUnits=${read},MaxWriteRequestUnits=${write}`;
  expect(given).toStrictEqual([expected]);
});

test("the operators' pages name each saved query", () => {
  const names = all('AWS::Logs::QueryDefinition').map(({ Name }) => Name.replace(/.*\//, ''));
  expect(names.length).toBeGreaterThan(3);
  const text = ['docs/runbook.md', 'docs/keys.md', 'docs/stock-and-recovery.md'].map(textOf).join();
  expect(names.filter((name) => !new RegExp(`[\`/]${name}\``).test(text))).toStrictEqual([]);
});

test.each(operations)('docs/api.md and the picture in README show $operationId', (operation) => {
  const { method, path, name } = operation;
  expect(textOf('docs/api.md')).toContain(`\n- \`${method} ${path}\` `);
  const edge = `-->|${method} ${path.replaceAll(/[{}]/g, '')}| `;
  expect(textOf('README.md')).toMatch(new RegExp(`${RegExp.escape(edge)}\\w+\\[${name}\\]`));
});

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
  expect(anchorsOf('docs/errors.md')).toStrictEqual(
    expect.arrayContaining(Object.keys(statusOfCode)),
  );
});

test('pages tell the time limits of a request', () => {
  const [whole, first] = [functionTimeout / 1_000, firstByteTimeout / 1_000];
  const attempts = `up to ${requestAttempts} attempts of ${attemptTimeout / 1_000} s`;
  const times = textOf('docs/follow-a-patch.md').match(/(?:up to \d+ attempts of )?\d+ s\b/g);
  const picture = [`${authorizerCacheSeconds} s`, `${whole} s`, attempts];
  expect(times).toStrictEqual([...picture, `${whole} s`, attempts, `${first} s`]);

  const revoked = /The key stops working within (\d+) seconds/.exec(textOf('docs/keys.md'));
  expect(Number(revoked?.[1])).toBe(authorizerCacheSeconds + whole);
});
