import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** Usual entries, from which the generated ones differ. */
const entry = '{"petId":{"N":"1"},"quantity":{"N":"5"},"status":{"S":"sold"}}';
const listed = '{"petId":1,"quantity":5,"status":"sold"}';

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

/** Every order of the attributes of an entry. */
export const orders = [
  ['petId', 'quantity', 'status'],
  ['petId', 'status', 'quantity'],
  ['quantity', 'petId', 'status'],
  ['quantity', 'status', 'petId'],
  ['status', 'petId', 'quantity'],
  ['status', 'quantity', 'petId'],
] as const;

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
export const pages = fc.oneof(
  { arbitrary: wholePage, weight: 3 },
  { arbitrary: bent, weight: 2 },
  { arbitrary: spaced, weight: 1 },
);
