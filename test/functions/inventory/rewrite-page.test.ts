import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { petStatuses } from '../../../functions/inventory/item.ts';
import { type ListedPage, parsePage } from '../../../functions/inventory/parse-page.ts';
import { rewritePage } from '../../../functions/inventory/rewrite-page.ts';
import { anyCharacter } from '../../support/functions/any-character.ts';

const entry = '{"petId":{"N":"1"},"quantity":{"N":"5"},"status":{"S":"sold"}}';
const listed = '{"petId":1,"quantity":5,"status":"sold"}';
const pageOf = (...items: string[]) => `{"Items":[${items}]}`;

test('a page with an entry is rewritten', () => {
  expect(rewritePage(pageOf(entry, entry))).toStrictEqual({
    text: `${listed},${listed}`,
    entries: 2,
    LastEvaluatedKey: undefined,
  });
});

test('every petId and every quantity is rewritten, and no other integer', () => {
  const textOf = (petId: bigint, quantity: bigint) =>
    rewritePage(
      pageOf(`{"petId":{"N":"${petId}"},"quantity":{"N":"${quantity}"},"status":{"S":"sold"}}`),
    )?.text;
  const petIds = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const quantities = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
  fc.assert(
    fc.property(petIds, quantities, fc.bigInt({ min: 0n }), (petId, quantity, more) => {
      const text = `{"petId":${petId},"quantity":${quantity},"status":"sold"}`;
      expect(textOf(petId, quantity)).toBe(text);
      expect(textOf(2n ** 63n + more, quantity)).toBeUndefined();
      expect(textOf(-(2n ** 63n) - 1n - more, quantity)).toBeUndefined();
      expect(textOf(petId, 2n ** 53n + more)).toBeUndefined();
      expect(textOf(petId, -1n - more)).toBeUndefined();
    }),
    {
      numRuns: 200,
      // Where the number of digits or the first of them decides.
      examples: [
        [0n, 0n, 0n],
        [-1n, 1n, 1n],
        [999_999_999_999_999_999n, 999_999_999_999_999n, 0n],
        [8_999_999_999_999_999_999n, 8_999_999_999_999_999n, 0n],
        [9_000_000_000_000_000_000n, 9_000_000_000_000_000n, 0n],
        [9_199_999_999_999_999_999n, 9_006_999_999_999_999n, 0n],
        [2n ** 63n - 1n, 2n ** 53n - 1n, 0n],
        [-(2n ** 63n), 2n ** 53n - 1n, 0n],
      ],
    },
  );
});

/** What is listed of a page, or why none of it can be. */
const outcomeOf = (read: (page: string) => ListedPage, page: string): object => {
  try {
    return read(page);
  } catch (error) {
    return { error: String(error) };
  }
};
const expectSameOutcome = (page: string): void => {
  const fast = outcomeOf((text) => rewritePage(text) ?? parsePage(text), page);
  expect(fast).toStrictEqual(outcomeOf(parsePage, page));
};

test.each([
  ...[
    entry.replace('}}', '},"x":{"S":"]}"}}'),
    entry.replace('{', '{"petId":{"N":"2"},'),
    '{"status":{"S":"sold"},"petId":{"N":"1"},"quantity":{"N":"5"}}',
    entry.replace('sold', 's\\u006fld'),
    entry.replace('sold', 'lost'),
    entry.replace('"1"', '"-0"'),
    ` ${entry} `,
    'null',
    '',
  ].flatMap((odd) => [pageOf(odd, entry), pageOf(entry, odd)]),
  pageOf(''),
  pageOf(`${entry}${entry}`),
  pageOf(`${entry};${entry}`),
  pageOf(`${entry}],[${entry}`),
  pageOf(entry).slice(0, -1),
  '{"Count":0}',
  `{"x":{"Items":[${entry}]},"Items":[]}`,
  `{"Items":[${entry}],"Items":[]}`,
  `{"Items":[${entry}],"x":{"y":1}`,
  `{"Count":1"Items":[${entry}]}`,
])('an odd page gives the text or the error that parsing gives: %s', expectSameOutcome);

const usualItem = fc.record({
  petId: fc.record({ N: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String) }),
  quantity: fc.record({ N: fc.nat().map(String) }),
  status: fc.record({ S: fc.constantFrom(...petStatuses) }),
});
const order = fc.shuffledSubarray(['petId', 'quantity', 'status'], { minLength: 3 });
const key = '"LastEvaluatedKey":{"petId":{"N":"-1"}}';

/** A page of entries whose attributes have one order, with other members before and after them. */
const usualPage = fc
  .record({
    items: fc.array(usualItem, { minLength: 1, maxLength: 6 }),
    order,
    before: fc.constantFrom('', '"Count":1,', `"Count":1,${key},"ScannedCount":7,`),
    after: fc.constantFrom('', ',"Count":1', `,"x":{"Items":[]},${key}`, ',"é":null'),
  })
  .map(({ items, order, before, after }) => {
    const texts = items.map((item) => JSON.stringify(item, [...order, 'N', 'S']));
    return `{${before}"Items":[${texts}]${after}}`;
  });

test('every usual page is rewritten as parsing gives it', () => {
  fc.assert(
    fc.property(usualPage, (page) => {
      expect(rewritePage(page)).toStrictEqual(parsePage(page));
    }),
  );
});

const fragments = ['', ' ', ',', '"', '{', '}', '[', ']', '[{}]', '-', '0', '.5', 'e3', 'é', '\n'];
const members = ['"x":{"S":"]"},', `"x":{"M":${entry}},`, `"Items":[${entry}],`, `,${entry}`];

test('a page with any text in place of some of its characters gives what parsing gives', () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const inserted = fc.oneof(
    fc.constantFrom(...fragments, ...members),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(usualPage, place, fc.nat(3), inserted, (page, share, removed, text) => {
      const at = Math.floor(share * page.length);
      expectSameOutcome(page.slice(0, at) + text + page.slice(at + removed));
    }),
    { numRuns: 1_000 },
  );
});
