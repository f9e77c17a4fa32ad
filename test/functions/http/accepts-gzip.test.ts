import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acceptsGzip } from '../../../functions/http/accepts-gzip.ts';

test.each([
  ['GZIP', true],
  ['deflate, gzip;q=1.0, *;q=0.5', true],
  ['gzip;level=1; q=0.001', true],
  ['*;q=0.5', true],
  ['br, gzip', true],
  ['', false],
  [',;,', false],
  ['br, deflate', false],
  ['gzip;q=0, *', false],
  ['*;q=0', false],
  ['gzip;q=0.5, *', false],
  ['gzip;q=much', false],
  ['x-gzip', false],
])('Accept-Encoding %j allows gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

test('gzip is used where it is at least as good as the plain body', () => {
  const quality = fc.oneof(fc.constantFrom(0, 500), fc.integer({ min: 0, max: 1000 }));
  fc.assert(
    fc.property(quality, quality, (gzip, identity) => {
      const header = `br;q=1, gzip;q=${gzip / 1000}, identity;q=${identity / 1000}`;
      expect(acceptsGzip(header)).toBe(gzip > 0 && gzip >= identity);
    }),
  );
});
