import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { contextWith, eventOf, setEnvironment, stream } from '../../support/functions/functions.ts';

setEnvironment();
const { streamed, textStream } = await import('../../../functions/http/streamed-response.ts');

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
    const context = contextWith(1_050);
    let reading: AbortSignal | undefined;
    const body = textStream((signal) => {
      reading = signal;
      return source();
    }, context);
    const errors: Error[] = [];
    body.on('error', (error) => errors.push(error));
    read(body);
    expect(reading?.aborted).toBe(false);
    await new Promise((resolve) => body.on('close', resolve));
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0);
    expect([errors, reading?.aborted]).toEqual([expected, true]);
  },
);

test('a streamed function sends status and headers before the body begins', async () => {
  const body = new Readable({ read() {} });
  const handler = streamed(async () => ({ statusCode: 200, headers: { a: 'b' }, body }));
  const { response, ended } = stream(handler, eventOf(), 9_000);
  await new Promise(setImmediate);
  expect(response.chunks).toEqual([Buffer.alloc(0)]);
  expect(response.metadata).toEqual({ statusCode: 200, headers: { a: 'b' } });
  body.push('text');
  body.push(null);
  expect(await ended).toBeUndefined();
  expect([response.chunks.map(String), response.writableFinished]).toEqual([['', 'text'], true]);
});
