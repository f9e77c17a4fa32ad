import { type AttributeName, attributeNames, attributes } from './attributes.ts';
import type { ListedPage } from './parse-page.ts';

/** The value of an attribute as DynamoDB prints it, with a pattern for what is within its quotes. */
const member = (name: AttributeName, pattern: string): string =>
  `"${name}":\\{"${attributes[name].type}":"${pattern}"\\}`;

/** Matches the first item of a page, if all its attributes are numbers and texts without escapes. */
const firstItem = /"Items":\[\{((?:"\w+":\{"[NS]":"[^"]*"\},?)+)\}/;

/** What precedes Items in a page: members that are numbers or keys. */
const otherMember = '"\\w+":(?:\\d+|\\{"petId":\\{"N":"-?\\d+"\\}\\})';

interface Expressions {
  /** The beginning of a usual page: up to the end of its items. */
  page: RegExp;
  /** Finds the values of an item. */
  item: RegExp;
  /** An item as lists show it. */
  listed: string;
  /**
   * What each item loses, so that the difference in length counts the items without a second pass.
   */
  shortening: number;
}

/** The expressions for the orders of attributes that pages have had. A table has one order. */
const expressionsByOrder = new Map<string, Expressions>();

const expressionsFor = (order: AttributeName[]): Expressions => {
  const item = `\\{${order.map((name) => member(name, `(?:${attributes[name].pattern})`))}\\}`;
  const shown = attributeNames.filter((name) => order.includes(name));
  const isText = (name: AttributeName): boolean => attributes[name].type === 'S';
  return {
    page: new RegExp(`^(\\{(?:${otherMember},)*)"Items":\\[(${item}(?:,${item})*)\\]`),
    item: new RegExp(`\\{${order.map((name) => member(name, `(?<${name}>[^"]*)`))}\\}`, 'g'),
    listed: `{${shown.map((name) => `"${name}":${isText(name) ? `"$<${name}>"` : `$<${name}>`}`)}}`,
    shortening: order
      .map((name) => (isText(name) ? '{"S":}' : '{"N":""}').length)
      .reduce((sum, length) => sum + length),
  };
};

/** Returns the expressions for the order of a page's first item; undefined if that is unusual. */
const expressionsOf = (page: string): Expressions | undefined => {
  const [, members = ''] = firstItem.exec(page) ?? [];
  const order: string[] = members.match(/(?<=")\w+(?=":\{)/g) ?? [];
  const isUsual =
    new Set(order).size === order.length &&
    order.every((name) => name in attributes) &&
    attributeNames.every((name) => attributes[name].optional || order.includes(name));
  if (!isUsual) {
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
    const text = items.replace(expressions.item, expressions.listed);
    const entries = (items.length - text.length) / expressions.shortening;
    return { text, entries, LastEvaluatedKey: others.LastEvaluatedKey };
  } catch {
    // Whatever this was, parsePage says it as for every page.
    return undefined;
  }
};
