import { petStatuses } from './item.ts';

/** Returns a pattern for the numerals below a limit that have as many digits as it. */
const lessThan = (limit: string): string =>
  [...limit.matchAll(/[1-9]/g)]
    .map(({ 0: digit, index: at }) => {
      const others = limit.length - at - 1;
      return `${limit.slice(0, at)}[0-${Number(digit) - 1}]\\d{${others}}`;
    })
    .join('|');

// No two alternatives match the same numeral. Otherwise, a page with an unusual item would take
// exponential time.
const magnitude = `[1-8]\\d{0,18}|9\\d{0,17}|9(?:${lessThan('223372036854775808')})`;
const int64 = `0|-?(?:${magnitude})|-9223372036854775808`;
const safeInteger = `0|[1-9]\\d{0,14}|[1-8]\\d{15}|9(?:${lessThan('007199254740992')})`;

/** The sources of expressions for the valid values of an item, as DynamoDB prints them. */
export const patterns = { petId: int64, quantity: safeInteger, status: petStatuses.join('|') };
