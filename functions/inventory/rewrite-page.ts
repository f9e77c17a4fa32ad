import { type AttributeName, attributeNames } from './item.ts';
import type { ListedPage } from './parse-page.ts';
import { patterns } from './patterns.ts';

/** An attribute as DynamoDB prints it, with a pattern for what is within its quotes. */
const attribute = (name: AttributeName, pattern: string): string =>
  `"${name}":\\{"${name === 'status' ? 'S' : 'N'}":"${pattern}"\\}`;

/** An item as lists show it. */
const listed = '{"petId":$<petId>,"quantity":$<quantity>,"status":"$<status>"}';

/**
 * What each item then loses: the types of two numbers and a text. So the difference in length counts
 * the items without a second pass.
 */
const shortening = '{"N":""}{"N":""}{"S":}'.length;

/** Matches the first item of a page, if all its attributes are numbers and texts without escapes. */
const firstItem = /"Items":\[\{(?<members>(?:"\w+":\{"[NS]":"[^"]*"\},?)+)\}/;

/** What precedes Items in a page: members that are numbers or keys. */
const otherMember = '"\\w+":(?:\\d+|\\{"petId":\\{"N":"-?\\d+"\\}\\})';

interface Expressions {
  /** The beginning of a usual page: up to the end of its items. */
  page: RegExp;
  /** Finds the values of an item. */
  item: RegExp;
}

/** The expressions for the orders of attributes that pages have had. A table has one order. */
const expressionsByOrder = new Map<string, Expressions>();

const expressionsFor = (order: AttributeName[]): Expressions => {
  const item = `\\{${order.map((name) => attribute(name, `(?:${patterns[name]})`))}\\}`;
  return {
    page: new RegExp(`^(\\{(?:${otherMember},)*)"Items":\\[(${item}(?:,${item})*)\\]`),
    item: new RegExp(`\\{${order.map((name) => attribute(name, `(?<${name}>[^"]*)`))}\\}`, 'g'),
  };
};

/** Returns the expressions for the order of a page's first item; undefined if that is unusual. */
const expressionsOf = (page: string): Expressions | undefined => {
  const { members = '' } = firstItem.exec(page)?.groups ?? {};
  const order = Array.from(members.matchAll(/(?<=")\w+(?=":\{)/g), ([name]) => name);
  if (String(order.toSorted()) !== String(attributeNames)) {
    return undefined;
  }
  const known = expressionsByOrder.get(String(order));
  const expressions = known ?? expressionsFor(order as AttributeName[]);
  expressionsByOrder.set(String(order), expressions);
  return expressions;
};

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
  }
  return undefined;
};
