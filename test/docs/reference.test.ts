import { describe, expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import {
  attemptTimeout,
  authorizerCacheSeconds,
  defaultListTimeout,
  firstByteTimeout,
  functionTimeout,
  requestAttempts,
} from '../../functions/shared/time-limits.ts';
import { operations } from '../../infra/service/operations.ts';
import { anchorsOf, sectionOf, textOf } from '../support/docs/markdown.ts';
import { prod } from '../support/stack/stages.ts';
import { stackOf } from '../support/stack/synthesized.ts';

const { byName, all } = stackOf('prod');

test('the runbook has a section for each alarm that notifies, to which its e-mail leads', () => {
  const alarms = Object.entries(byName('AWS::CloudWatch::Alarm'))
    .filter(([name]) => name.startsWith('Alarms'))
    .map(([name, { AlarmDescription }]) => ({ name, description: AlarmDescription }));
  expect(alarms.length).toBeGreaterThan(2);
  const sections = anchorsOf('docs/runbook.md').map((anchor) => `docs/runbook.md#${anchor}`);
  const lost = alarms.filter(
    ({ description }) => !sections.some((section) => description.endsWith(section)),
  );
  expect(lost).toStrictEqual([]);
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

describe('large stocks', () => {
  const cells = [
    ...sectionOf(textOf('docs/reference.md'), 'Large stocks').matchAll(/^\| .*$/gm),
  ].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [entries = [], plain = [], gzip = [], timeouts = [], perSecond = []] = cells.map(
    ([, ...values]) => values.map((value) => Number.parseFloat(value)),
  );
  // Lambda sends 6 MB at once, then 2 MB a second, and no more than 200 MB.
  const seconds = (megabytes: number) => Math.ceil((megabytes - 6) / 2);
  const longest = seconds(200);

  test('a list takes what Lambda needs to send it', () => {
    const [million, three, ten = 0] = entries;
    expect({ million, three, ten }).toStrictEqual({ million: 1, three: 3, ten: 10 });
    // The longest entry has 65 bytes, and with gzip, 12 million have 200 MB.
    expect(plain).toStrictEqual([...[1, 3].map((size) => seconds(size * 65)), Number.NaN]);
    expect(seconds(ten * 65)).toBeGreaterThan(longest);
    // One million with gzip takes as long as the function needs: 150,000 entries a second.
    expect(gzip).toStrictEqual([
      Math.ceil(1_000 / 150),
      ...[3, 10].map((size) => seconds((size * 200) / 12)),
    ]);
  });

  test('its timeout is long enough, and the default one where that is', () => {
    expect(timeouts).toStrictEqual([defaultListTimeout / 1_000, 100, 100]);
    expect(longest).toBeLessThan(100);
  });

  test("as many lists fit into a second as prod's ceiling carries", () => {
    // 10,000 read units for a million entries.
    const carried = entries.map((size) => (prod.tables.ceiling?.read ?? 0) / (size * 10_000));
    expect(perSecond).toStrictEqual(
      carried.map((count) => (count < 1 ? count : Math.floor(count))),
    );
  });
});

test('the costs of alarms are those of the metrics that they watch, and of a dashboard', () => {
  const watched = all('AWS::CloudWatch::Alarm').flatMap(({ Metrics = [{ MetricStat: {} }] }) =>
    Metrics.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat !== undefined),
  );
  const [, cost] = /^\| Alarms, dashboard \| ([\d.]+) /m.exec(textOf('docs/reference.md')) ?? [];
  expect(cost).toBe((0.1 * watched.length + 3).toFixed(2));
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
