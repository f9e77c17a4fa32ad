import { expect, test } from '@jest/globals';
import { acceptsGzip } from '../../functions/http/accepts-gzip.ts';
import { jsonBody } from '../../functions/http/json-request.ts';
import { isPetId } from '../../functions/inventory/item.ts';
import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { mapStack } from '../../functions/observability/source-stack.ts';
import { parseJson } from '../../functions/shared/json.ts';
import { eventOf } from '../support/functions/functions.ts';
import { isLinear } from '../support/process/linear.ts';

const contentType = (type: string) => {
  const event = eventOf({ body: '{}', headers: { 'Content-Type': [type] } });
  jsonBody().before?.({ event } as never);
};
const apiKey = (text: string) => isWellFormedApiKey(text, 'staging');

/** Repeats a part to this number of characters. */
const fill = (part: string, length: number): string => part.repeat(length / part.length);
const fillOf = (part: string) => (n: number) => fill(part, n);

test.each<[string, (text: string) => unknown, ((n: number) => string)[]]>([
  ['Accept-Encoding', acceptsGzip, ['gzip,', ';q=1', ' ', 'gzip;', 'a'].map(fillOf)],
  [
    'Content-Type',
    contentType,
    [';', ' ', 'a'].map((end) => (n) => `application/json${fill(' ', n)}${end}`),
  ],
  ['a petId', isPetId, ['9', '0', '-', '1-'].map(fillOf)],
  ['an API key', apiKey, ['petstore_staging_', 'a', ' '].map(fillOf)],
  ['a stack trace', mapStack, ['/', '/a', '/a.js', '/a.js:1', ' /', 'x'].map(fillOf)],
  [
    'JSON',
    parseJson,
    [
      (n) => `1.${fill('0', n)}1`,
      (n) => `0.${fill('0', n)}7${fill('0', n)}7`,
      (n) => fill('9', n),
      (n) => `-1${fill('0', n)}`,
      (n) => `1e${fill('0', n)}1`,
      (n) => `1${fill('0', n)}e-${n}`,
      (n) => `[${fill('1.0,', n)}1]`,
      (n) => fill('[', n),
      (n) => `${fill('[', n / 40)}${fill(']', n / 40)}${fill(' ', n)}`,
      (n) => `{${Array.from({ length: n / 10 }, (_, i) => `"k${i}":1`)}}`,
      (n) => `{${fill('"quantity":1.0,', n)}"quantity":1.0}`,
      (n) => `{"${fill('\\n', n)}":1.0}`,
    ],
  ],
])('%s is read in linear time, whatever it contains', (_what, read, texts) => {
  const slow = texts.filter((textOf) => !isLinear(read, textOf));
  expect(slow.map((textOf) => textOf(40))).toEqual([]);
});
