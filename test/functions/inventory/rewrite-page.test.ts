import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ListedPage, parsePage } from '../../../functions/inventory/parse-page.ts';
import { rewritePage } from '../../../functions/inventory/rewrite-page.ts';
import { anyCharacter } from '../../support/functions/any-character.ts';

const entry = '{"petId":{"N":"1"},"quantity":{"N":"5"},"status":{"S":"sold"}}';
const listed = '{"petId":1,"quantity":5,"status":"sold"}';

const pageOf = (items: string) => `{"Items":[${items}]}`;

/** Returns an entry with one petId, as DynamoDB prints it. */
const entryOf = (petId: string) => entry.replace('"1"', `"${petId}"`);

/** What is listed of a page, or why none of it can be: the same by both ways. */
const outcomeOf = (read: (page: string) => ListedPage, page: string): object => {
  try {
    return read(page);
  } catch (error) {
    return { error: String(error) };
  }
};

/** Every order of the attributes of an entry. */
const orders = [
  ['petId', 'quantity', 'status'],
  ['petId', 'status', 'quantity'],
  ['quantity', 'petId', 'status'],
  ['quantity', 'status', 'petId'],
  ['status', 'petId', 'quantity'],
  ['status', 'quantity', 'petId'],
] as const;

describe('rewriting a page', () => {
  test.each(orders)('knows entries in the order %s, %s, %s', (...order) => {
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
    { where: 'before', page: `{"LastEvaluatedKey":{"petId":{"N":"1"}},"Items":[${entry}]}` },
    {
      where: 'after',
      page: `{"Items":[${entry}],"Count":9,"LastEvaluatedKey":{"petId":{"N":"1"}}}`,
    },
  ])('reads the other members of a page: a key $where the items', ({ page }) => {
    const LastEvaluatedKey = { petId: { N: '1' } };
    expect(rewritePage(page)).toStrictEqual({ text: listed, entries: 1, LastEvaluatedKey });
  });

  test.each([
    '0',
    '-1',
    '999999999999999999',
    '8999999999999999999',
    '9000000000000000000',
    '9199999999999999999',
    '9223372036854775807',
    '-9223372036854775808',
  ])('knows the petId %s', (petId) => {
    expect(rewritePage(pageOf(entryOf(petId)))?.text).toBe(listed.replace('1', petId));
  });

  test.each(['0', '999999999999999', '8999999999999999', '9007199254740991'])(
    'knows the quantity %s',
    (quantity) => {
      const page = pageOf(entry.replace('"5"', `"${quantity}"`));
      expect(rewritePage(page)?.text).toBe(listed.replace('5', quantity));
    },
  );

  test('knows every petId and every quantity, and no other integer', () => {
    const petIds = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const quantities = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
    const textOf = (petId: bigint, quantity: bigint) =>
      rewritePage(
        `{"Items":[{"petId":{"N":"${petId}"},"quantity":{"N":"${quantity}"},"status":{"S":"sold"}}]}`,
      )?.text;
    fc.assert(
      fc.property(petIds, quantities, fc.bigInt({ min: 0n }), (petId, quantity, more) => {
        const text = `{"petId":${petId},"quantity":${quantity},"status":"sold"}`;
        expect(textOf(petId, quantity)).toBe(text);
        expect(textOf(2n ** 63n + more, quantity)).toBeUndefined();
        expect(textOf(-(2n ** 63n) - 1n - more, quantity)).toBeUndefined();
        expect(textOf(petId, 2n ** 53n + more)).toBeUndefined();
        expect(textOf(petId, -1n - more)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});

describe('a page is left to the parser', () => {
  test.each([
    { what: 'one more attribute', odd: entry.replace('}}', '},"x":{"S":"y"}}') },
    { what: 'text that looks like the end', odd: entry.replace('}}', '},"x":{"S":"]}"}}') },
    { what: 'an attribute twice', odd: entry.replace('{', '{"petId":{"N":"2"},') },
    {
      what: 'another order',
      odd: '{"status":{"S":"sold"},"petId":{"N":"1"},"quantity":{"N":"5"}}',
    },
    { what: 'an escape', odd: entry.replace('sold', 's\\u006fld') },
    { what: 'spaces', odd: ` ${entry} ` },
  ])('because of one odd item, wherever it is: $what', ({ odd }) => {
    const pages = [
      [odd, entry],
      [entry, odd],
      [entry, odd, entry],
    ].map((items) => items.join());
    expect(pages.map((items) => rewritePage(pageOf(items)))).toStrictEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    { what: 'no entries', items: '' },
    { what: 'an entry without attributes', items: `${entry},{}` },
    { what: 'an entry that is null', items: `${entry},null` },
    { what: 'a missing comma', items: `${entry}${entry}` },
    { what: 'something else than a comma', items: `${entry};${entry}` },
    { what: 'a comma too many', items: `${entry},,${entry}` },
    { what: 'brackets around an entry', items: `${entry}],[${entry}` },
    { what: 'an unknown status', items: `${entry},${entry.replace('sold', 'lost')}` },
    { what: 'a large quantity', items: `${entry},${entry.replace('"5"', '"9007199254740992"')}` },
    { what: 'a petId that is -0', items: `${entry},${entryOf('-0')}` },
    { what: 'a petId that is too large', items: `${entry},${entryOf('9223372036854775808')}` },
  ])('because of its items: $what', ({ items }) => {
    expect(rewritePage(pageOf(items))).toBeUndefined();
  });

  test.each([
    { what: 'items that are cut short', page: pageOf(entry).slice(0, -2) },
    { what: 'a page that is cut short', page: pageOf(entry).slice(0, -1) },
    { what: 'no items', page: '{"Count":0}' },
    { what: 'an end before the items', page: `{"x":[],"Items":[${entry}` },
    { what: 'items in something else', page: `{"x":{"Items":[${entry}]},"Items":[]}` },
    { what: 'items in a list', page: `{"x":["Items":[${entry}]}` },
    { what: 'items twice', page: `{"Items":[${entry}],"Items":[]}` },
    { what: 'another name at the end of its items', page: `{"Items":[${entry}],"x":{"y":1}` },
    { what: 'no comma before the items', page: `{"Count":1"Items":[${entry}]}` },
    { what: 'a number after the items', page: `{"Items":[${entry}]e5}` },
  ])('because of the page: $what', ({ page }) => {
    expect(rewritePage(page)).toBeUndefined();
  });
});

const petIds = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.stringMatching(/^-?[0-9]{1,20}$/),
  fc.stringMatching(/^-?9[0-3][0-9]{17}$/),
  fc.constantFrom('0', '-0', '1.5', '1e3', '9223372036854775807', '9223372036854775808', ''),
);
const quantities = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.stringMatching(/^[0-9]{1,17}$/),
  fc.constantFrom('0', '-5', '1.5', '9007199254740991', '9007199254740992', ''),
);

/** An entry with the attributes of the contract, and values that need no second look. */
const usualItem = fc.record({
  petId: fc.record({ N: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(String) }),
  quantity: fc.record({ N: fc.nat().map(String) }),
  status: fc.record({ S: fc.constantFrom('available', 'pending', 'sold') }),
});
const attribute = fc.oneof(
  fc.record({ N: quantities }),
  fc.record({
    S: fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom(']', '"Items":[', '}')),
  }),
  fc.record({ L: fc.array(usualItem, { maxLength: 2 }) }),
  fc.record({ M: usualItem }),
);
/** What a list can have, but only once it has been parsed. */
const oddItem = fc.oneof(
  fc.tuple(usualItem, attribute).map(([item, x]) => ({ ...item, x })),
  fc.constantFrom('9007199254740991', '1000000000000000').map((N) => ({
    petId: { N: '9223372036854775807' },
    quantity: { N },
    status: { S: 'sold' },
  })),
);

/** What no list can have, mostly. */
const wrongItem = fc.oneof(
  fc.record({ petId: fc.record({ N: petIds }), quantity: attribute, status: attribute }),
  fc.tuple(usualItem, petIds).map(([item, N]) => ({ ...item, petId: { N } })),
  fc.tuple(usualItem, quantities).map(([item, N]) => ({ ...item, quantity: { N } })),
  fc.record({ petId: fc.record({ N: petIds }) }),
  fc.constant([{}]),
  fc.constant({ petId: 1, quantity: -5 }),
);

/** Prints an item with its attributes in one order, those that are not in the order at the end. */
const printItem = (item: object, order: readonly string[]): string => {
  if (Array.isArray(item)) {
    return JSON.stringify(item);
  }
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const members = Object.entries(item).toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  return JSON.stringify(Object.fromEntries(members));
};

const item = fc.oneof(
  { arbitrary: usualItem, weight: 16 },
  { arbitrary: oddItem, weight: 4 },
  { arbitrary: wrongItem, weight: 1 },
);

const itemsText = fc
  .tuple(fc.array(item, { maxLength: 6 }), fc.constantFrom(...orders))
  .map(([items, order]) => items.map((each) => printItem(each, order)).join());

/** What precedes or follows Items: members of a page. */
const others = fc.array(
  fc.oneof(
    fc.nat().map((count) => `"Count":${count}`),
    fc.nat().map((count) => `"ScannedCount":${count}`),
    petIds.map((petId) => `"LastEvaluatedKey":{"petId":{"N":"${petId}"}}`),
    fc.string().map((text) => `"é":${JSON.stringify(text)}`),
    fc.constantFrom('"LastEvaluatedKey":null', '"x":{"Items":[]}', '"Items":[]', '"__proto__":{}'),
  ),
  { maxLength: 3 },
);

const wholePage = fc
  .tuple(others, itemsText, others)
  .map(([before, items, after]) => `{${[...before, `"Items":[${items}]`, ...after].join()}}`);

/** Puts a text in place of some characters of a page. */
const bent = fc
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

const spaced = wholePage.map((page) => JSON.stringify(JSON.parse(page), null, 1));

/** Pages of a scan in every order and encoding, most of them valid. */
const pages = fc.oneof(
  { arbitrary: wholePage, weight: 3 },
  { arbitrary: bent, weight: 2 },
  { arbitrary: spaced, weight: 1 },
);

test('a page gives the text and the error that parsing gives, whatever it is', () => {
  const numRuns = 1_000;
  const rewritten: number[] = [];
  fc.assert(
    fc.property(pages, (page) => {
      const fast = outcomeOf((text) => rewritePage(text) ?? parsePage(text), page);
      expect(fast).toStrictEqual(outcomeOf(parsePage, page));
      rewritten.push(rewritePage(page)?.entries ?? 0);
    }),
    { numRuns },
  );
  // Otherwise, the comparison would show nothing.
  expect(rewritten.filter((entries) => entries > 1).length).toBeGreaterThan(numRuns / 20);
});
