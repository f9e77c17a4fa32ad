import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, toJson } from '../../../functions/shared/json.ts';

/** The integer that these digits times a power of ten are, if they are one, by arithmetic without rounding. */
const exactInteger = (digits: string, power: number): bigint | undefined => {
  const number = BigInt(digits);
  // More than any digits here have.
  const scale = 10n ** BigInt(Math.min(Math.abs(power), 500));
  return power >= 0 ? number * scale : number % scale === 0n ? number / scale : undefined;
};

describe('parseJson', () => {
  test('makes a safe integer of a numeral that denotes it, and of no other', () => {
    const digits = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
      fc.constantFrom('0', '1', '7', '100', '1000000'),
    );
    const fraction = fc.oneof(
      fc.constantFrom('', '.0'),
      fc.tuple(fc.nat(25), fc.nat(999)).map(([zeros, end]) => `.${'0'.repeat(zeros)}${end}`),
    );
    const exponent = fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), fc.oneof(fc.nat(25), fc.constantFrom(300, 400, 99999)))
        .map(([e, power]) => `${e}${power}`),
    );
    fc.assert(
      fc.property(fc.constantFrom('', '', '-'), digits, fraction, exponent, (sign, whole, frac, exp) => {
        const power = Number(exp.slice(1)) - frac.slice(1).length;
        const integer = exactInteger(sign + whole + frac.slice(1), power);
        const safe = integer !== undefined && integer > -(2n ** 53n) && integer < 2n ** 53n;
        const [value] = parseJson(`[${sign}${whole}${frac}${exp}]`) as [number];
        expect(Number.isSafeInteger(value)).toBe(safe);
        if (safe) {
          expect(BigInt(value)).toBe(integer);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('reads everything else as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    expect(() => parseJson('{')).toThrow(SyntaxError);
  });
});

test('toJson writes bigint in all its digits, and everything else as JSON.stringify does', () => {
  expect(toJson({ a: [9223372036854775807n, -1n], b: '1n', c: 1.5 })).toBe(
    '{"a":[9223372036854775807,-1],"b":"1n","c":1.5}',
  );
});
