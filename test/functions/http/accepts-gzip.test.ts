import { expect, test } from '@jest/globals';
import { acceptsGzip } from '../../../functions/http/accepts-gzip.ts';

test.each([
  { header: 'GZIP', expected: true },
  { header: 'deflate, gzip;q=1.0, *;q=0.5', expected: true },
  { header: 'gzip;level=1; q=0.001', expected: true },
  { header: '*;q=0.5', expected: true },
  { header: '', expected: false },
  { header: ',;,', expected: false },
  { header: 'gzip;q=0, *', expected: false },
  { header: '*;q=0', expected: false },
  { header: 'gzip;q=0.5, *', expected: false },
  { header: 'br;q=1, gzip;q=0.5, identity;q=0.5', expected: true },
  { header: 'gzip;q=0.499, identity;q=0.5', expected: false },
  { header: 'gzip;q=0, identity;q=0', expected: false },
  { header: 'gzip;q=much', expected: false },
  { header: 'x-gzip', expected: false },
])('Accept-Encoding $header allows gzip: $expected', ({ header, expected }) => {
  expect(acceptsGzip(header)).toBe(expected);
});
