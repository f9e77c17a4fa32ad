import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import {
  contextWith,
  eventOf,
  ResponseStream,
  type StreamingHandler,
  setEnvironment,
} from '../../support/functions.ts';

setEnvironment();
const { streamed, textStream } = await import('../../../functions/http/streamed-response.ts');

test('a stream of texts is read one text at a time, and its source is told of its end', async () => {
  let asked = 0;
  let reading: AbortSignal | undefined;
  const source = async function* (signal: AbortSignal) {
    reading = signal;
    for (; asked < 5; asked++) {
      yield String(asked);
    }
  };
  const body = textStream(source, contextWith(60_000));
  await once(body, 'readable');
  await new Promise(setImmediate);
  expect([asked < 2, reading?.aborted]).toEqual([true, false]);
  expect(await body.toArray()).toEqual(['0', '1', '2', '3', '4']);
  expect(reading?.aborted).toBe(true);
});

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

test.each<[string, () => AsyncGenerator<string>, (body: Readable) => unknown, Error[]]>([
  ['with an error if its source is silent', silent, (body) => body.resume(), [late]],
  ['without an error if nobody reads on', endless, (body) => once(body, 'readable'), []],
  ['without an error if nobody reads it at all', endless, () => {}, []],
])('a stream of texts ends in time %s', async (_how, source, read, expected) => {
  const context = contextWith(1_300);
  const body = textStream(source, context);
  const errors: Error[] = [];
  body.on('error', (error) => errors.push(error));
  read(body);
  await new Promise((resolve) => body.on('close', resolve));
  expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0);
  expect(errors).toEqual(expected);
});

test('a streamed function sends status and headers before the body has begun', async () => {
  const body = new Readable({ read() {} });
  const response = new ResponseStream();
  const handler = streamed(async () => ({ statusCode: 200, headers: { a: 'b' }, body }));
  const ended = (handler as unknown as StreamingHandler)(eventOf(), response, contextWith(9_000));
  await new Promise(setImmediate);
  expect(response.chunks).toEqual([Buffer.alloc(0)]);
  expect(response.metadata).toEqual({ statusCode: 200, headers: { a: 'b' } });
  body.push('text');
  body.push(null);
  expect(await ended).toBeUndefined();
  expect([response.chunks.map(String), response.writableFinished]).toEqual([['', 'text'], true]);
});
