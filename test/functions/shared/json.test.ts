import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, toJson } from '../../../functions/shared/json.ts';

/**
 * Returns the integer that a numeral denotes, computed without rounding; undefined if it denotes
 * none.
 */
const exactInteger = (numeral: string): bigint | undefined => {
  const [, digits = '', fraction = '', exponent = '0'] =
    /^([^.e]+)\.?(\d*)e?(.*)$/i.exec(numeral) ?? [];
  const power = Number(exponent) - fraction.length;
  const number = BigInt(digits + fraction);
  // No numeral here has as many as 500 digits, so that a larger scale would decide the same.
  const scale = 10n ** BigInt(Math.min(Math.abs(power), 500));
  if (power >= 0) {
    return number * scale;
  }
  return number % scale === 0n ? number / scale : undefined;
};

const numeral = fc.oneof(
  ...[
    /^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,2})?$/,
    /^-?900719925474099[0-9](\.0{0,25}[0-9])?(e-?[0-9])?$/,
    /^-?([1-9]|10{1,6})\.0{1,25}[1-9]{0,3}(e-?[0-9])?$/,
    /^[1-9]0{0,25}(e-[0-9]{1,2})?$/,
    /^[0-9]e-?(300|400|99999)$/,
  ].map((form) => fc.stringMatching(form)),
);

test('parseJson returns a safe integer for a numeral that denotes it, and for no other', () => {
  fc.assert(
    fc.property(numeral, (text) => {
      const integer = exactInteger(text);
      const safe = integer !== undefined && integer > -(2n ** 53n) && integer < 2n ** 53n;
      const [value] = parseJson(`[${text}]`) as [number];
      expect(Number.isSafeInteger(value)).toBe(safe);
      if (safe) {
        expect(BigInt(value)).toBe(integer);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('parseJson reads everything else as JSON.parse does', () => {
  const read = (text: string) => expect(parseJson(text)).toStrictEqual(JSON.parse(text));
  fc.assert(fc.property(fc.json(), read));
  expect(() => parseJson('{')).toThrow(SyntaxError);
});

test('toJson writes all digits of a bigint, and everything else as JSON.stringify does', () => {
  expect(toJson({ a: [9223372036854775807n, -1n], b: '1n', c: 1.5 })).toBe(
    '{"a":[9223372036854775807,-1],"b":"1n","c":1.5}',
  );
});
