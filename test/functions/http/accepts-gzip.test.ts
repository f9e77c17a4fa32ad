import { expect, test } from '@jest/globals';
import { acceptsGzip } from '../../../functions/http/accepts-gzip.ts';

test.each([
  ['GZIP', true],
  ['deflate, gzip;q=1.0, *;q=0.5', true],
  ['gzip;level=1; q=0.001', true],
  ['*;q=0.5', true],
  ['', false],
  [',;,', false],
  ['gzip;q=0, *', false],
  ['*;q=0', false],
  ['gzip;q=0.5, *', false],
  ['br;q=1, gzip;q=0.5, identity;q=0.5', true],
  ['gzip;q=0.499, identity;q=0.5', false],
  ['gzip;q=0, identity;q=0', false],
  ['gzip;q=much', false],
  ['x-gzip', false],
])('Accept-Encoding %j allows gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});
