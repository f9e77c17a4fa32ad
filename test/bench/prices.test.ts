import { expect, test } from '@jest/globals';
import { bills, monthCost, months } from '../../bench/month-cost.ts';
import { price, streamLimitBytes } from '../../bench/price-list.ts';
import { gzipEntryBytes, keyCheck, list, sumOf, update } from '../../bench/request-cost.ts';
import { textOf } from '../support/docs/markdown.ts';

const costs = textOf('docs/costs.md');
const performance = textOf('docs/performance.md');

const million = 1e6;
const inDollars = (cost: number) => `$${cost.toFixed(2)}`;

/** Returns the cells of a table's rows, without its heading. */
const rowsOf = (page: string, heading: string): string[][] => {
  const [, , ...lines] =
    page.slice(page.indexOf(heading)).trim().split('\n\n', 1)[0]?.split('\n') ?? [];
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

test('docs/costs.md has the bills of the three months', () => {
  const names = months.map(({ name }) => name);
  const expected = bills().map((row) => [row.part, ...names.map((name) => row[name])]);
  expect(rowsOf(costs, `| A month, $ | ${names.join(' | ')} |`)).toEqual(expected);
  const total = bills().find(({ part }) => part === 'Total');
  expect(costs).toContain(`An idle prod costs about $${Math.round(Number(total?.idle))} a month.`);
});

test('docs/costs.md has what a million of each request costs', () => {
  expect(costs).toContain(`A million updates: ${inDollars(sumOf(update) * million)}`);
  expect(costs).toContain(`a million unknown keys: ${inDollars(sumOf(keyCheck) * million)}`);
});

test('docs/performance.md has what lists cost', () => {
  const rows = rowsOf(performance, '| Entries | Cost | Takes about |');
  const entries = rows.map(([count = '']) => Number(count.replaceAll(',', '')));
  expect(entries).toEqual([1_000, 100_000, 1_000_000, 10_000_000, 100_000_000]);
  expect(rows.map(([, cost, , readUnits]) => [cost, readUnits])).toEqual(
    entries.map((count) => {
      const { cost, readUnits } = list(count);
      const isStreamed = count * gzipEntryBytes <= streamLimitBytes;
      return isStreamed
        ? [`$${sumOf(cost).toPrecision(1)}`, readUnits.toLocaleString('en')]
        : ['not possible', ''];
    }),
  );
});

test('API Gateway counts a list once for each 10 MB', () => {
  const oneStep = list(700_000);
  const twoSteps = list(800_000);
  expect(oneStep.cost.apiGateway).toBe(price.apiGatewayRequest);
  expect(twoSteps.cost.apiGateway).toBe(2 * price.apiGatewayRequest);
});

test('Lambda charges for what it streams beyond 6 MB, and for the time', () => {
  const free = list(400_000);
  const entries = 10_000_000;
  const streamedGb = (entries * 14 - 6 * 1024 * 1024) / 1e9;
  const { cost, seconds } = list(entries);
  const time = (cost.lambda - price.lambdaRequest - streamedGb * 0.008) / price.lambdaGbSecond;
  expect(time).toBeCloseTo(seconds, 6);
  expect(free.cost.lambda).toBeCloseTo(
    price.lambdaRequest + free.seconds * price.lambdaGbSecond,
    12,
  );
});

test('an idle month costs the firewall, the alarms, the dashboard and next to nothing else', () => {
  const [idle] = months;
  const { firewall, alarms, ...others } = monthCost(idle as (typeof months)[number]);
  expect(firewall).toBeGreaterThan(price.webAclMonth);
  expect(alarms).toBeGreaterThan(price.dashboardMonth);
  expect(Object.values(others).every((dollars) => dollars < 0.01)).toBe(true);
});

test('the firewall costs $0.60 for a million requests, and X-Ray records less than all', () => {
  const busy = { name: 'busy', updates: 10 * million, lists: 0, entries: 1, keys: 1 };
  const idle = { ...busy, updates: 0 };
  expect(monthCost(busy).firewall - monthCost(idle).firewall).toBeCloseTo(6);
  expect(monthCost(busy).traces).toBeCloseTo((2_628_000 + 0.05 * 7_372_000) * 5e-6);
});
