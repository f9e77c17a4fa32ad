import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, toJson } from '../../../functions/shared/json.ts';
import { expectLinear } from '../../support/linear.ts';

/** The integer that a decimal numeral denotes, if it denotes one, by arithmetic without rounding. */
const exactInteger = (sign: string, whole: string, fraction: string, exponent: string): bigint | undefined => {
  const digits = whole + fraction.slice(1);
  const power = Number(exponent.replace(/^e\+?/i, '') || 0) - Math.max(0, fraction.length - 1);
  const significant = digits.replace(/0+$/, '');
  const shift = power + digits.length - significant.length;
  if (/^0*$/.test(significant)) {
    return 0n;
  }
  if (shift < 0) {
    return undefined;
  }
  const magnitude = shift > 1_000 ? 10n ** 1_000n : BigInt(significant) * 10n ** BigInt(shift);
  return sign ? -magnitude : magnitude;
};

describe('parseJson', () => {
  test('makes a safe integer of a numeral that denotes it, and of no other', () => {
    const digits = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
      fc.constantFrom('0', '1', '7', '100', '1000000'),
    );
    const zeros = fc.nat(25).map((count) => '0'.repeat(count));
    const fraction = fc.oneof(
      fc.constant(''),
      zeros.map((text) => `.0${text}`),
      fc.tuple(zeros, fc.nat(999)).map(([text, end]) => `.${text}${end}`),
    );
    const exponent = fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), fc.oneof(fc.nat(25), fc.constantFrom(300, 400, 99999)))
        .map(([e, power]) => `${e}${power}`),
    );
    fc.assert(
      fc.property(fc.constantFrom('', '', '-'), digits, fraction, exponent, (sign, whole, frac, exp) => {
        const integer = exactInteger(sign, whole, frac, exp);
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

  test.each([
    ['a long fraction of zeros and a digit', (n: number) => `1.${'0'.repeat(n)}1`],
    ['a long fraction of zeros', (n: number) => `1.${'0'.repeat(n)}`],
    ['zeros between digits', (n: number) => `0.${'0'.repeat(n)}7${'0'.repeat(n)}7`],
    ['a long integer', (n: number) => '9'.repeat(n)],
    ['a long integer of zeros', (n: number) => `-1${'0'.repeat(n)}`],
    ['a long exponent', (n: number) => `1e${'0'.repeat(n)}1`],
    ['a long negative exponent', (n: number) => `1${'0'.repeat(n)}e-${n}`],
    ['many numerals', (n: number) => `[${'1.0,'.repeat(n / 4)}1]`],
    ['deep arrays', (n: number) => `${'['.repeat(n / 40)}${']'.repeat(n / 40)}${' '.repeat(n)}`],
    ['a deep array that does not end', (n: number) => '['.repeat(n)],
    ['deep objects', (n: number) => `${'{"":'.repeat(n / 40)}1${'}'.repeat(n / 40)}`],
    ['a long key', (n: number) => `{"${'k'.repeat(n)}":1.0}`],
    ['many keys', (n: number) => `{${Array.from({ length: n / 10 }, (_, i) => `"k${i}":1`)}}`],
    ['the same key', (n: number) => `{${Array.from({ length: n / 10 }, () => '"quantity":1.0')}}`],
    ['escapes', (n: number) => `"${'\\u0041'.repeat(n / 6)}"`],
    ['escapes in a key', (n: number) => `{"${'\\n'.repeat(n / 2)}":1.0}`],
    ['a string that does not end', (n: number) => `"${'\\\\'.repeat(n / 2)}`],
  ])('takes linear time for %s', (_what, textOf) => {
    expectLinear((length) => {
      const text = textOf(length);
      return () => {
        try {
          parseJson(text);
        } catch {
          // Not all of it is JSON, and not all of it fits the stack.
        }
      };
    });
  });
});

test('toJson writes bigint in all its digits, and everything else as JSON.stringify does', () => {
  expect(toJson({ a: [9223372036854775807n, -1n], b: '1n', c: 1.5 })).toBe(
    '{"a":[9223372036854775807,-1],"b":"1n","c":1.5}',
  );
});
