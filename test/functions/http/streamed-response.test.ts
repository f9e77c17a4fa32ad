import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, expect, jest, test } from '@jest/globals';
import { acceptsGzip } from '../../../functions/http/accepts-gzip.ts';
import { contextWith, eventOf, setEnvironment, stream } from '../../support/functions/functions.ts';

setEnvironment();
const { streamed, textStream } = await import('../../../functions/http/streamed-response.ts');

afterEach(() => void jest.useRealTimers());

const silent = async function* () {
  yield 'a';
  await new Promise(() => {});
};
const endless = async function* () {
  for (;;) {
    yield 'a';
  }
};
const late = new Error('The response did not end in time.');

interface Ending {
  how: string;
  source: () => AsyncGenerator<string>;
  read: (body: Readable) => unknown;
  expected: Error[];
}

test.each<Ending>([
  {
    how: 'with an error if its source is silent',
    source: silent,
    read: (body) => body.resume(),
    expected: [late],
  },
  {
    how: 'without an error if its reader stops',
    source: endless,
    read: (body) => once(body, 'readable'),
    expected: [],
  },
  {
    how: 'without an error if nobody reads it at all',
    source: endless,
    read: () => {},
    expected: [],
  },
])(
  'a stream of texts ends in time $how, and aborts its source',
  async ({ source, read, expected }) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    let reading: AbortSignal | undefined;
    const body = textStream((signal) => {
      reading = signal;
      return source();
    }, contextWith(10_000));
    const errors: Error[] = [];
    body.on('error', (error) => errors.push(error));
    read(body);
    const closed = new Promise((resolve) => body.once('close', resolve));
    // Lets the source be asked for its second text.
    await new Promise(setImmediate);
    // A second before Lambda would end the function.
    jest.advanceTimersByTime(8_999);
    expect([body.destroyed, reading?.aborted]).toStrictEqual([false, false]);
    jest.advanceTimersByTime(1);
    await closed;
    expect([errors, reading?.aborted]).toStrictEqual([expected, true]);
  },
);

test('a stream of texts that was read to its end aborts its source, and leaves no timer', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  let reading: AbortSignal | undefined;
  const body = textStream(async function* (signal) {
    reading = signal;
    yield 'a';
  }, contextWith(10_000));
  expect(await body.toArray()).toStrictEqual(['a']);
  expect([reading?.aborted, jest.getTimerCount()]).toStrictEqual([true, 0]);
});

test('a streamed function sends status and headers before the body begins', async () => {
  const body = new Readable({ read() {} });
  const handler = streamed(async () => ({ statusCode: 200, headers: { a: 'b' }, body }));
  const { response, ended } = stream(handler, eventOf(), 9_000);
  await new Promise(setImmediate);
  expect(response.chunks).toStrictEqual([Buffer.alloc(0)]);
  expect(response.metadata).toStrictEqual({ statusCode: 200, headers: { a: 'b' } });
  body.push('text');
  body.push(null);
  expect(await ended).toBeUndefined();
  expect([response.chunks.map(String), response.writableFinished]).toStrictEqual([
    ['', 'text'],
    true,
  ]);
});

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
  // Blanks may stand round every separator (RFC 9110, 5.6.1 and 12.4.2).
  const spaced = header.replaceAll(/[,;]/g, ' \t$& ');
  expect([acceptsGzip(header), acceptsGzip(spaced)]).toStrictEqual([expected, expected]);
});
