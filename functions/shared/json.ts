declare global {
  // Node has these since version 22; TypeScript's library does not declare them yet.
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/** Returns a value as JSON, with every digit of a bigint. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member,
  );

/**
 * Returns the digits without leading and trailing zeros. It uses loops, because /0+$/ would take
 * quadratic time.
 */
const significantDigits = (numeral: string): string => {
  const digits = numeral.replace(/e.*|[-.]/gi, '');
  let [start, end] = [0, digits.length];
  while (digits[start] === '0') {
    start += 1;
  }
  while (digits[end - 1] === '0') {
    end -= 1;
  }
  return digits.slice(start, end);
};

/**
 * Parses JSON, but reads a numeral that would be rounded to a safe integer, such as
 * 1.0000000000000000001, as NaN.
 */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_key, value, { source = '' }) =>
    Number.isSafeInteger(value) && significantDigits(source) !== significantDigits(String(value))
      ? NaN
      : value,
  );
