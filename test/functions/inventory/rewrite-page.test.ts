import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ListedPage, parsePage } from '../../../functions/inventory/parse-page.ts';
import { rewritePage } from '../../../functions/inventory/rewrite-page.ts';
import { orders, pages } from '../../support/functions/page-generators.ts';

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
    { what: 'an odd item at its beginning', items: `${entry.replace('"5"', '"-5"')},${entry}` },
    { what: 'an entry without attributes', items: `${entry},{}` },
    { what: 'an empty object in a list', items: `${entry},[{}]` },
    { what: 'an entry that is null', items: `${entry},null` },
    { what: 'a missing comma', items: `${entry}${entry}` },
    { what: 'a missing comma after more entries', items: `${entry},${entry}${entry}` },
    { what: 'something else than a comma', items: `${entry};${entry}` },
    { what: 'a comma too many', items: `${entry},,${entry}` },
    { what: 'a space between commas', items: `${entry}, ,${entry}` },
    { what: 'a comma at the end', items: `${entry},` },
    { what: 'a comma at the beginning', items: `,${entry}` },
    { what: 'brackets around an entry', items: `${entry}],[${entry}` },
    { what: 'values without types', items: `${entry},{"petId":1,"quantity":-5}` },
    { what: 'an entry as it is listed', items: `${entry},${listed}` },
    { what: 'an unknown status', items: `${entry},${entry.replace('sold', 'lost')}` },
    { what: 'a negative quantity', items: `${entry},${entry.replace('"5"', '"-5"')}` },
    { what: 'a large quantity', items: `${entry},${entry.replace('"5"', '"9007199254740992"')}` },
    { what: 'a petId with a leading zero', items: `${entry},${entryOf('01')}` },
    { what: 'a petId that is -0', items: `${entry},${entryOf('-0')}` },
    { what: 'a petId that is too large', items: `${entry},${entryOf('9223372036854775808')}` },
    { what: 'a petId of 20 digits', items: `${entry},${entryOf('10000000000000000000')}` },
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
    { what: 'other items', page: `{"Items":[${entry}],"Items":7}` },
    { what: 'another name at the end of its items', page: `{"Items":[${entry}],"x":{"y":1}` },
    { what: 'no comma before the items', page: `{"Count":1"Items":[${entry}]}` },
    { what: 'no member before a comma', page: `{,"Items":[${entry}]}` },
    { what: 'a number after the items', page: `{"Items":[${entry}]e5}` },
    { what: 'something after the page', page: `${pageOf(entry)}}` },
  ])('because of the page: $what', ({ page }) => {
    expect(rewritePage(page)).toBeUndefined();
  });
});

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
