import { expect, test } from '@jest/globals';
import { acceptsGzip } from '../../functions/http/accepts-gzip.ts';
import { jsonBody } from '../../functions/http/json-body.ts';
import { readIfMatch } from '../../functions/inventory/etag.ts';
import { isPetId } from '../../functions/inventory/item.ts';
import { rewritePage } from '../../functions/inventory/rewrite-page.ts';
import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { setEnvironment } from '../support/functions/functions.ts';

setEnvironment();
const { logFault } = await import('../../functions/observability/log-fault.ts');
const log = captureLog();

/** Reads a body of this Content-Type. */
const contentType = (type: string): unknown => {
  const event = { bytes: Buffer.from('{}'), headers: new Map([['content-type', [type]]]) };
  jsonBody().before?.({ event } as never);
  return (event as { body?: unknown }).body;
};
/** Logs an error with this stack trace. */
const stackTrace = (stack: string): unknown => {
  logFault(Object.assign(new Error('no'), { stack }), {});
  return log.at(-1).stack;
};
const apiKey = (text: string) => isWellFormedApiKey(text, 'staging');

/** Repeats a part to this number of characters. */
const fill = (part: string, length: number): string => part.repeat(length / part.length);
const fillOf = (part: string) => (n: number) => fill(part, n);

const entry = '{"petId":{"N":"1"},"quantity":{"N":"5"},"status":{"S":"sold"}}';
const itemsOf = (part: string) => (n: number) => `{"Items":[${fill(part, n)}]}`;
const oddEntry = entry.replace('}}', '},"x":{"S":"y"}}');
/** Items that are right up to the last of them. */
const wrongAtEnd = (n: number) => `{"Items":[${fill(`${entry},`, n)}${entry.replace('sold', '')}]}`;

interface Reader {
  what: string;
  read: (text: string) => unknown;
  /** A text that it accepts, and what it makes of it. */
  valid: [text: string, value: unknown];
  /** Texts of a length, each of a kind that could take longer than others. */
  texts: ((length: number) => string)[];
}

const readers: Reader[] = [
  {
    what: 'Accept-Encoding',
    read: acceptsGzip,
    valid: ['br, gzip;q=0.5', true],
    texts: [...['gzip,', ';q=1', ' ', 'gzip;', 'a'].map(fillOf), (n) => `${fill(' ', n)}a`],
  },
  {
    what: 'Content-Type',
    read: contentType,
    valid: ['application/json ;a', {}],
    texts: [';', ' ', 'a'].map((end) => (n) => `application/json${fill(' ', n)}${end}`),
  },
  {
    what: 'a petId',
    read: isPetId,
    valid: ['-9223372036854775808', true],
    texts: ['9', '0', '-', '1-'].map(fillOf),
  },
  {
    what: 'an API key',
    read: apiKey,
    valid: [
      'petstore_staging_000102030405060708090a0b0c0d0e0f101112131415161718191a1b60d1f6bc',
      true,
    ],
    texts: ['petstore_staging_', 'a', ' '].map(fillOf),
  },
  {
    what: 'If-Match',
    read: (value) => readIfMatch(new Map([['if-match', [value]]])),
    valid: ['"7-available"', '"7-available"'],
    texts: ['"', '7', '"7-available"', 'W/"'].map(fillOf),
  },
  {
    what: 'a stack trace',
    read: stackTrace,
    valid: ['Error: no\n    at f (/x.js:1:1)', 'Error: no\n    at f (/x.js:1:1)'],
    texts: ['/', '/a', '/a.js', '/a.js:1', ' /', 'x'].map(fillOf),
  },
  {
    what: 'a page of entries',
    read: rewritePage,
    valid: [
      `{"Items":[${entry}]}`,
      { text: '{"petId":1,"quantity":5,"status":"sold"}', entries: 1, LastEvaluatedKey: undefined },
    ],
    texts: [
      ...[`${entry},`, entry, '{"petId":{"N":"', '9', ',', '{', '"Items":[', '{}'].map(itemsOf),
      itemsOf(`${entry},${oddEntry},`),
      // The first entry is usual, and no other.
      (n) => `{"Items":[${entry}${fill(`,${oddEntry}`, n)}]}`,
      wrongAtEnd,
      fillOf('"Items":['),
      fillOf('{"Items":[]'),
      (n) => `{"Items":[{"petId":{"N":"${fill('1', n)}"}}]}`,
      (n) => `{${fill('"Count":1,', n)}"Items":[${entry}]${fill(',"Count":1', n)}}`,
    ],
  },
];

/** Returns the CPU milliseconds that it takes to read a text, but at least one. */
const cpuTime = (read: Reader['read'], text: string): number => {
  const before = process.cpuUsage();
  try {
    read(text);
  } catch {
    // Some texts are malformed, and some are nested too deeply for the stack.
  }
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1_000);
};

/** Whether 16 times the text takes far less than the 256 times that it takes in quadratic time. */
const isLinear = (read: Reader['read'], textOf: (length: number) => string): boolean =>
  cpuTime(read, textOf(64_000)) < 64 * cpuTime(read, textOf(4_000));

test.each(readers)('$what is read in linear time', ({ read, valid: [text, value], texts }) => {
  expect(read(text)).toStrictEqual(value);
  // A measurement that something else has disturbed is made again.
  const slow = texts.filter((textOf) => ![1, 2, 3].some(() => isLinear(read, textOf)));
  expect(slow.map((textOf) => textOf(40))).toStrictEqual([]);
});
