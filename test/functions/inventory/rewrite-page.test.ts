import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ListedPage, parsePage } from '../../../functions/inventory/parse-page.ts';
import { rewritePage } from '../../../functions/inventory/rewrite-page.ts';
import { anyCharacter } from '../../support/functions/any-character.ts';

const entry = '{"petId":{"N":"1"},"quantity":{"N":"5"},"status":{"S":"sold"}}';
const listed = '{"petId":1,"quantity":5,"status":"sold"}';
const pageOf = (...items: string[]) => `{"Items":[${items}]}`;

/** Every order of the attributes of an entry. */
const orders = [
  ['petId', 'quantity', 'status'],
  ['petId', 'status', 'quantity'],
  ['quantity', 'petId', 'status'],
  ['quantity', 'status', 'petId'],
  ['status', 'petId', 'quantity'],
  ['status', 'quantity', 'petId'],
] as const;

test.each(orders)('entries in the order %s, %s, %s are rewritten', (...order) => {
  const attributes = { petId: { N: '7' }, quantity: { N: '0' }, status: { S: 'pending' } };
  const item = Object.fromEntries(order.map((name) => [name, attributes[name]]));
  const text = '{"petId":7,"quantity":0,"status":"pending"}';
  expect(rewritePage(JSON.stringify({ Items: [item, item] }))).toStrictEqual({
    text: `${text},${text}`,
    entries: 2,
    LastEvaluatedKey: undefined,
  });
});

test.each([
  `{"LastEvaluatedKey":{"petId":{"N":"1"}},"Items":[${entry}]}`,
  `{"Items":[${entry}],"Count":9,"LastEvaluatedKey":{"petId":{"N":"1"}}}`,
])('the key of the next page is read, wherever it is: %s', (page) => {
  const LastEvaluatedKey = { petId: { N: '1' } };
  expect(rewritePage(page)).toStrictEqual({ text: listed, entries: 1, LastEvaluatedKey });
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

const attributeTwice = entry.replace('{', '{"petId":{"N":"2"},');
const otherOrder = '{"status":{"S":"sold"},"petId":{"N":"1"},"quantity":{"N":"5"}}';

test.each([
  ...[
    entry.replace('}}', '},"x":{"S":"y"}}'),
    entry.replace('}}', '},"x":{"S":"]}"}}'),
    attributeTwice,
    otherOrder,
    entry.replace('sold', 's\\u006fld'),
    entry.replace('sold', 'lost'),
    entry.replace('"5"', '"9007199254740992"'),
    entry.replace('"1"', '"-0"'),
    entry.replace('"1"', '"9223372036854775808"'),
    ` ${entry} `,
    '{}',
    'null',
    '',
  ].flatMap((odd) => [pageOf(odd, entry), pageOf(entry, odd), pageOf(entry, odd, entry)]),
  pageOf(''),
  pageOf(`${entry}${entry}`),
  pageOf(`${entry};${entry}`),
  pageOf(`${entry}],[${entry}`),
  pageOf(entry).slice(0, -2),
  pageOf(entry).slice(0, -1),
  '{"Count":0}',
  `{"x":[],"Items":[${entry}`,
  `{"x":{"Items":[${entry}]},"Items":[]}`,
  `{"x":["Items":[${entry}]}`,
  `{"Items":[${entry}],"Items":[]}`,
  `{"Items":[${entry}],"x":{"y":1}`,
  `{"Count":1"Items":[${entry}]}`,
  `{"Items":[${entry}]e5}`,
])('an odd page gives the text or the error that parsing gives: %s', expectSameOutcome);

/** An entry of the contract. */
const usualItem = fc.record({
  petId: fc.record({ N: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String) }),
  quantity: fc.record({ N: fc.nat().map(String) }),
  status: fc.record({ S: fc.constantFrom('available', 'pending', 'sold') }),
});
const numeral = fc.oneof(
  fc.stringMatching(/^-?[0-9]{1,20}$/),
  fc.stringMatching(/^-?9[0-3][0-9]{17}$/),
  fc.constantFrom('0', '-0', '1.5', '1e3', '9223372036854775807', '9007199254740992', ''),
);
const attribute = fc.oneof(
  fc.record({ N: numeral }),
  fc.record({ S: fc.string({ unit: anyCharacter }) }),
  fc.record({ S: fc.constantFrom(']', '"Items":[', '}') }),
  fc.record({ L: fc.array(usualItem, { maxLength: 2 }) }),
  fc.record({ M: usualItem }),
);
/** An entry with another attribute, or with values that a list may not have. */
const oddItem = fc
  .tuple(usualItem, fc.constantFrom('petId', 'quantity', 'status', 'x'), attribute, numeral)
  .map(([item, name, value, N]) => ({ ...item, [name]: name === 'petId' ? { N } : value }));

const item = fc.oneof({ arbitrary: usualItem, weight: 16 }, { arbitrary: oddItem, weight: 4 });

/** Items whose attributes have one order, and others that are in none at the end. */
const items = fc
  .tuple(fc.array(item, { maxLength: 6 }), fc.constantFrom(...orders))
  .map(([all, order]) => all.map((each) => JSON.stringify(inOrder(each, order))).join());

const inOrder = (each: object, order: readonly string[]): object => {
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => placeOf(a) - placeOf(b)));
};

/** What precedes or follows Items: members of a page. */
const others = fc.array(
  fc.oneof(
    fc.nat().map((count) => `"ScannedCount":${count}`),
    numeral.map((petId) => `"LastEvaluatedKey":{"petId":{"N":"${petId}"}}`),
    fc.string().map((text) => `"é":${JSON.stringify(text)}`),
    fc.constantFrom('"LastEvaluatedKey":null', '"x":{"Items":[]}', '"Items":[]', '"__proto__":{}'),
  ),
  { maxLength: 3 },
);

const wholePage = fc
  .tuple(others, items, others)
  .map(([before, all, after]) => `{${[...before, `"Items":[${all}]`, ...after].join()}}`);

/** A page with a text in place of some of its characters. */
const bentPage = fc
  .record({
    page: wholePage,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(3),
    inserted: fc.oneof(
      fc.constantFrom('', ' ', ',', '"', '{', '}', '[', ']', '[{}]', '\\u0031', '-', '0', 'é'),
      fc.constantFrom(entry, listed, `,${entry}`, `"Items":[${entry}],`, '"x": {}', '\n'),
    ),
  })
  .map(({ page, share, removed, inserted }) => {
    const at = Math.floor(share * page.length);
    return page.slice(0, at) + inserted + page.slice(at + removed);
  });

test('any page gives the text or the error that parsing gives', () => {
  const numRuns = 1_000;
  const rewritten: number[] = [];
  fc.assert(
    fc.property(fc.oneof(wholePage, bentPage), (page) => {
      expectSameOutcome(page);
      rewritten.push(rewritePage(page)?.entries ?? 0);
    }),
    { numRuns },
  );
  // Otherwise, the comparison would show nothing.
  expect(rewritten.filter((entries) => entries > 1).length).toBeGreaterThan(numRuns / 20);
});
