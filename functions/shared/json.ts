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

const significantDigits = (numeral: string): string =>
  numeral
    .replace(/e.*$/i, '')
    .replace('.', '')
    .replace(/^-?0*|0*$/g, '');

/** A JSON value in which no safe integer comes of rounding: a fraction so close to one (1.0000000000000000001) is NaN. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_key, value, { source = '' }) =>
    Number.isSafeInteger(value) && significantDigits(source) !== significantDigits(String(value)) ? NaN : value,
  );
