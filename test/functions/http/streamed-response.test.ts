import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { awslambda, contextWith, eventOf, ResponseStream } from '../../support/functions.ts';

const { streamed, textStream } = await (async () => {
  Object.assign(globalThis, { awslambda });
  return import('../../../functions/http/streamed-response.ts');
})();

const event = eventOf({});

describe('a stream of texts', () => {
  test('is read one text at a time', async () => {
    let asked = 0;
    const body = textStream(async function* () {
      for (; asked < 5; asked++) {
        yield String(asked);
      }
    }, contextWith(60_000));
    await once(body, 'readable');
    await new Promise(setImmediate);
    expect(asked).toBeLessThan(2);
    expect(await body.toArray()).toEqual(['0', '1', '2', '3', '4']);
  });

  test('tells its source when it has ended', async () => {
    const signals: AbortSignal[] = [];
    const source = async function* (signal: AbortSignal) {
      signals.push(signal);
      yield 'a';
    };
    await textStream(source, contextWith(60_000)).toArray();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('fails with its source', async () => {
    const error = new Error('no');
    const body = textStream(async function* () {
      yield 'a';
      throw error;
    }, contextWith(60_000));
    await expect(body.toArray()).rejects.toBe(error);
  });

  const endsAfter = async (context: Context, body: Readable, reading: boolean): Promise<unknown> => {
    if (reading) {
      body.resume();
    }
    const errors: unknown[] = [];
    body.on('error', (error) => errors.push(error));
    await new Promise((resolve) => body.on('close', resolve));
    expect(context.getRemainingTimeInMillis()).toBeGreaterThan(0);
    return errors;
  };

  test('ends in time with an error if its source is silent', async () => {
    const context = contextWith(1_300);
    const body = textStream(async function* () {
      yield 'a';
      await new Promise(() => {});
    }, context);
    expect(await endsAfter(context, body, true)).toEqual([new Error('The response did not end in time.')]);
  });

  test('ends in time without an error if nobody reads it', async () => {
    const context = contextWith(1_300);
    const body = textStream(async function* () {
      for (;;) {
        yield 'a';
      }
    }, context);
    const unread = textStream(async function* () {}, context);
    const ends = [endsAfter(context, unread, false), endsAfter(context, body, false)];
    await once(body, 'readable');
    expect(await Promise.all(ends)).toEqual([[], []]);
  });
});

describe('a streamed function', () => {
  const respond = async (body: string | Readable) => {
    const response = new ResponseStream();
    const handler = streamed(async () => ({ statusCode: 200, headers: { a: 'b' }, body }));
    const ended = (handler as unknown as (...args: unknown[]) => Promise<void>)(event, response, contextWith(9_000));
    return { response, ended };
  };

  test.each([
    ['a text', () => 'text', ['', 'text']],
    ['a stream', () => Readable.from(['te', 'xt']), ['', 'te', 'xt']],
  ])('sends status, headers and %s', async (_what, body, chunks) => {
    const { response, ended } = await respond(body());
    expect(await ended).toBeUndefined();
    expect(response.metadata).toEqual({ statusCode: 200, headers: { a: 'b' } });
    expect([response.chunks.map(String), response.writableFinished]).toEqual([chunks, true]);
  });

  test('sends status and headers before the body has begun', async () => {
    const body = new Readable({ read() {} });
    const { response, ended } = await respond(body);
    await new Promise(setImmediate);
    expect(response.chunks).toEqual([Buffer.alloc(0)]);
    body.push(null);
    await ended;
  });

  test('does not end a response whose body fails, and names the request', async () => {
    const body = new Readable({ read() {} });
    const { response, ended } = await respond(body);
    body.push('half');
    setImmediate(() => body.destroy(new Error('a secret')));
    await expect(ended).rejects.toEqual(
      new Error('The response to request request-1 broke off. Its log line says why.'),
    );
    expect([response.text, response.destroyed, response.writableEnded]).toEqual(['half', false, false]);
  });

  test('waits until a client reads on', async () => {
    const body = Readable.from(Array.from({ length: 100 }, () => 'x'.repeat(10_000)));
    const { response, ended } = await respond(body);
    response.reading = false;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(response.writableLength).toBeLessThan(200_000);
    response.read();
    await ended;
    expect(response.text).toHaveLength(1_000_000);
  });

  test('stops when the client has left', async () => {
    const body = new Readable({ read() {} });
    const { response, ended } = await respond(body);
    response.destroy();
    await expect(ended).rejects.toThrow('broke off');
    expect(body.destroyed).toBe(true);
  });
});
