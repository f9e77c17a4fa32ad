import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { attributeNames } from '../../functions/inventory/attributes.ts';
import { petStatuses } from '../../functions/inventory/item.ts';
import { type OperationId, operations } from '../../infra/service/operations.ts';
import type { Throttling } from '../../infra/settings/stage-settings.ts';
import { stages } from '../../infra/settings/stages.ts';
import { blocksOf, textOf } from '../support/docs/markdown.ts';
import { allOperations } from '../support/http/openapi.ts';

/** The page as one line. */
const page = textOf('docs/api.md').replaceAll('\n', ' ');

const digits = (count?: number): string => Number(count).toLocaleString('en-US');

test('docs/api.md names each status', () => {
  const names = petStatuses.map((status) => `\`${status}\``);
  const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
  expect(page).toContain(`and the status is ${alternatives}.`);
});

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

test('docs/api.md names each attribute of an entry', () => {
  const absent = attributeNames.filter((name) => !new RegExp(`["\\x60]${name}["\\x60]`).test(page));
  expect(absent).toStrictEqual([]);
});

test('docs/api.md names each parameter', () => {
  const names = allOperations.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  expect(names).not.toStrictEqual([]);
  const absent = names.filter((name) => !new RegExp(`[\\x60{?]${name}\\b`).test(page));
  expect(absent).toStrictEqual([]);
});

/** What the page calls the requests of each operation. */
const nameOf: Record<OperationId, string> = { listInventory: 'lists', updateInventory: 'updates' };

test('docs/api.md has the limits of both stages', () => {
  const limit = (what: string, { rateLimit, burstLimit }: Throttling) =>
    `${digits(rateLimit)} ${what} a second (${digits(burstLimit)} in a burst)`;
  for (const { throttling, list } of Object.values(stages)) {
    for (const { operationId, streams } of operations) {
      const shared = limit(nameOf[operationId], streams ? list.throttling : throttling);
      expect(page).toMatch(
        new RegExp(`All clients of a stage share [^.]*${RegExp.escape(shared)}`),
      );
    }
  }
});

test('docs/api.md says that there is no request for a single pet, if there is none', () => {
  const hasOne = operations.some(
    ({ method, path }) => `${method} ${path}` === 'GET /inventory/{petId}',
  );
  expect(page.includes('There is no request for a single pet')).toBe(!hasOne);
});

test('README says that there are no filters, if there are none', () => {
  const hasSome = allOperations.some(({ parameters }) =>
    parameters.some(({ in: place }) => place === 'query'),
  );
  const readme = textOf('README.md').replaceAll('\n', ' ');
  expect(readme.includes('clients that need filters or paging')).toBe(!hasSome);
});

test("docs/api.md has the limits of prod's firewall", () => {
  const { perKey, perAddress } = stages.prod.firewall ?? {};
  const [, rows = ''] = page.split('| From | all requests | lists | |---|--:|--:| ');
  const [table] = rows.split('  ');
  expect(table).toMatch(
    new RegExp(
      `^\\| one API key \\| ${digits(perKey?.all)} \\| ${digits(perKey?.lists)} \\| ` +
        `\\| one IP address, .* \\| ${digits(perAddress?.all)} \\| ${digits(perAddress?.lists)} \\|$`,
    ),
  );
});
