import { petStatuses } from './item.ts';
import type { ListedPage } from './parse-page.ts';

/** Returns a pattern for the numerals below a limit that have as many digits as it. */
const lessThan = (limit: string): string =>
  Array.from(limit, (digit, at) => {
    const others = limit.length - at - 1;
    return digit === '0' ? [] : `${limit.slice(0, at)}[0-${Number(digit) - 1}]\\d{${others}}`;
  })
    .flat()
    .join('|');

// No two alternatives match the same numeral. Otherwise, a page with an unusual item would take
// exponential time.
const magnitude = `[1-8]\\d{0,18}|9\\d{0,17}|9(?:${lessThan('223372036854775808')})`;
const int64 = `0|-?(?:${magnitude})|-9223372036854775808`;
const safeInteger = `0|[1-9]\\d{0,14}|[1-8]\\d{15}|9(?:${lessThan('007199254740992')})`;

/** The attributes of the contract as DynamoDB prints them, with valid values. */
const valid = {
  petId: `"petId":\\{"N":"(?:${int64})"\\}`,
  quantity: `"quantity":\\{"N":"(?:${safeInteger})"\\}`,
  status: `"status":\\{"S":"(?:${petStatuses.join('|')})"\\}`,
};

/** The same with any value, in a group. Once a page is known to be usual, this finds its values. */
const found = {
  petId: '"petId":\\{"N":"(?<petId>[^"]*)"\\}',
  quantity: '"quantity":\\{"N":"(?<quantity>[^"]*)"\\}',
  status: '"status":\\{"S":"(?<status>[^"]*)"\\}',
};

type Name = keyof typeof valid;

/** Matches the first item of a page, if that has the three attributes in any order. */
const firstItem = /"Items":\[\{"(\w+)":\{"[NS]":"[^"]*"\},"(\w+)":\{"[NS]":"[^"]*"\},"(\w+)":/;

/** What precedes Items in a page: members that are numbers or keys. */
const otherMember = '"\\w+":(?:\\d+|\\{"petId":\\{"N":"-?\\d+"\\}\\})';

interface Expressions {
  /** The beginning of a usual page: up to the end of its items. */
  page: RegExp;
  item: RegExp;
}

/** The expressions for the orders of attributes that pages have had. A table has one order. */
const expressionsByOrder = new Map<string, Expressions>();

const expressionsFor = (order: Name[]): Expressions => {
  const item = `\\{${order.map((name) => valid[name])}\\}`;
  return {
    page: new RegExp(`^(\\{(?:${otherMember},)*)"Items":\\[(${item}(?:,${item})*)\\]`),
    item: new RegExp(`\\{${order.map((name) => found[name])}\\}`, 'g'),
  };
};

/** Returns the expressions for the order of a page's first item; undefined if that is unusual. */
const expressionsOf = (page: string): Expressions | undefined => {
  const order = firstItem.exec(page)?.slice(1) ?? [];
  if (String(order.toSorted()) !== 'petId,quantity,status') {
    return undefined;
  }
  const known = expressionsByOrder.get(String(order));
  const expressions = known ?? expressionsFor(order as Name[]);
  expressionsByOrder.set(String(order), expressions);
  return expressions;
};

const listed = '{"petId":$<petId>,"quantity":$<quantity>,"status":"$<status>"}';

/**
 * What each item loses, so that the difference in length counts the items without a second pass.
 */
const shortening = '{"N":""}{"N":""}{"S":}'.length;

/**
 * Reads a page without parsing its items, in half the time of parsePage and with the same result.
 * Returns undefined unless the page is usual: all its items have exactly the attributes of the
 * contract, with valid values, in one order, and without spaces or escapes.
 */
export const rewritePage = (page: string): ListedPage | undefined => {
  const expressions = expressionsOf(page);
  const beginning = expressions?.page.exec(page);
  if (!expressions || !beginning) {
    return undefined;
  }
  const [{ length }, before, items = ''] = beginning;
  try {
    // This fails unless Items is a member of the page itself and not of something in it.
    const others = JSON.parse(`${before}"":[]${page.slice(length)}`);
    if ('Items' in others) {
      return undefined;
    }
    const text = items.replace(expressions.item, listed);
    const entries = (items.length - text.length) / shortening;
    return { text, entries, LastEvaluatedKey: others.LastEvaluatedKey };
  } catch {
    // Whatever this was, parsePage says it as for every page.
    return undefined;
  }
};
