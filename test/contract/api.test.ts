import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { type OperationId, operations } from '../../infra/service/operations.ts';
import type { Throttling } from '../../infra/settings/stage-settings.ts';
import { stages } from '../../infra/settings/stages.ts';
import { blocksOf, textOf } from '../support/docs/markdown.ts';

/** The page as one line. */
const page = textOf('docs/api.md').replaceAll('\n', ' ');

const digits = (count?: number): string => Number(count).toLocaleString('en-US');

test('the functions of docs/api.md keep every digit of a petId, and quantities that can be counted', () => {
  const [block = ''] = blocksOf(textOf('docs/api.md'), 'javascript');
  const { parse, stringify } = runInThisContext(
    `(() => {${block}; return { parse, stringify }; })()`,
  );
  const text = '[{"petId":9007199254740993,"quantity":7,"status":"available"}]';
  const entries = parse(text);
  expect(entries).toStrictEqual([{ petId: 9007199254740993n, quantity: 7, status: 'available' }]);
  expect(stringify(entries)).toBe(text);
});

/** What the page calls the requests of each operation. */
const nameOf: Record<OperationId, string> = { listInventory: 'lists', updateInventory: 'updates' };

test('docs/api.md has the limits of both stages', () => {
  const limit = (what: string, { rateLimit, burstLimit }: Throttling) =>
    `${digits(rateLimit)} ${what} a second (${digits(burstLimit)} in a burst)`;
  for (const { throttling, list } of Object.values(stages)) {
    for (const { operationId, streams } of operations) {
      expect(page).toContain(limit(nameOf[operationId], streams ? list.throttling : throttling));
    }
  }
});

test("docs/api.md has the limits of prod's firewall", () => {
  const { perKey, perAddress } = stages.prod.firewall ?? {};
  const rows = page.matchAll(/\| one (API key|IP address)[^|]* \| ([\d,]+) \| ([\d,]+) \|/g);
  expect([...rows].map(([, from, all, lists]) => [from, all, lists])).toStrictEqual([
    ['API key', digits(perKey?.all), digits(perKey?.lists)],
    ['IP address', digits(perAddress?.all), digits(perAddress?.lists)],
  ]);
});
