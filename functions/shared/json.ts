declare global {
  // Node 22 and later; not yet in TypeScript's library.
  interface JSON {
    rawJSON(text: string): unknown;
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  }
}

/** JSON with bigint written as an exact integer. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member));

/** The digits from the first to the last that is not 0. By hand: /0+$/ tries every run of zeros, in quadratic time. */
const significantDigits = (numeral: string): string => {
  const [mantissa = ''] = numeral.split(/e/i, 1);
  const digits = mantissa.replace(/[-.]/g, '');
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') {
    start += 1;
  }
  while (end > start && digits[end - 1] === '0') {
    end -= 1;
  }
  return digits.slice(start, end);
};

/** A JSON value in which no safe integer comes of rounding: a fraction so close to one (1.0000000000000000001) is NaN. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_key, value, { source = '' }) =>
    Number.isSafeInteger(value) && significantDigits(source) !== significantDigits(String(value)) ? NaN : value,
  );
