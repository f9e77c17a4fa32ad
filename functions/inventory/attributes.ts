import { type InventoryItem, petStatuses, quantityRange } from './item.ts';

/** An attribute of an item that clients see. */
interface Attribute {
  /** DynamoDB's type: a number or a text. */
  type: 'N' | 'S';
  /** The source of an expression for its valid values, as DynamoDB prints them, without escapes. */
  pattern: string;
  /** What its value must be, for messages. */
  rule: string;
  /** Whether an item may lack it. Then a page that only some items have it on is read slowly. */
  optional?: boolean;
}

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

/**
 * The attributes in the order of the contract. What lists read, check and show, and what petstore
 * shows, exports and expects of an item that it has seen, follows from them.
 */
export const attributes: Record<keyof InventoryItem, Attribute> = {
  petId: { type: 'N', pattern: int64, rule: 'an int64' },
  quantity: { type: 'N', pattern: safeInteger, rule: quantityRange },
  status: {
    type: 'S',
    pattern: petStatuses.join('|'),
    rule: `one of ${petStatuses.join(', ')}`,
  },
};

export type AttributeName = keyof typeof attributes;

export const attributeNames = Object.keys(attributes) as AttributeName[];
