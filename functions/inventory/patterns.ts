import { petStatuses } from './item.ts';

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

/** The sources of expressions for the valid values of an item, as DynamoDB prints them. */
export const patterns = { petId: int64, quantity: safeInteger, status: petStatuses.join('|') };
