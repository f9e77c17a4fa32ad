import type { RequestListener } from 'node:http';
import { expect, test } from '@jest/globals';
import { type Answer, askService } from '../../../ops/release/ask-service.ts';
import { serve } from '../../support/http/serve.ts';

interface Settings {
  apiKey?: string;
  timeLimit?: number;
}

/** Asks a service for its list, which must begin with `[`. */
const ask = async (
  listener: RequestListener,
  { apiKey = 'petstore_prod_of_a_test', timeLimit = 60_000 }: Settings = {},
): Promise<Answer> =>
  askService({
    baseUrl: `${await serve(listener)}/prod/v1`,
    check: {
      asked: 'GET /inventory',
      method: 'GET',
      path: '/inventory',
      apiKey: () => apiKey,
      expected: '200',
      isRight: (status, beginning) => status === 200 && beginning.startsWith('['),
    },
    signal: new AbortController().signal,
    timeLimit,
  });

test('a service that does not answer in time answers wrongly', async () => {
  const answer = await ask(() => {}, { timeLimit: 100 });
  expect(answer).toEqual({ kind: 'wrong', answered: 'nothing within 0.1 s' });
});

test('so does one that begins an answer and does not go on', async () => {
  const answer = await ask((_request, response) => response.write('['), { timeLimit: 100 });
  expect(answer).toEqual({ kind: 'wrong', answered: 'nothing within 0.1 s' });
});

test('a cut connection says nothing', async () => {
  const answer = await ask(({ socket }) => socket.destroy());
  expect(answer).toEqual({ kind: 'unreachable', reason: 'other side closed' });
});

test.each([
  { where: 'within what is quoted', before: 10 },
  { where: 'across the end of what is quoted', before: 280 },
])('an answer that repeats the key $where shows no part of it', async ({ before }) => {
  const answer = await ask(({ headers }, response) => {
    response.writeHead(500).end(`${'x'.repeat(before)} ${headers.authorization}`);
  });
  expect(answer.kind).toBe('wrong');
  expect(JSON.stringify(answer)).not.toContain('petst');
});

test('an answer that has not come further than into the key shows no part of it', async () => {
  const beginning = `${'x'.repeat(288)}petstore_pro`;
  const answer = await ask((_request, response) => response.writeHead(500).write(beginning), {
    timeLimit: 100,
  });
  expect(JSON.stringify(answer)).not.toContain('petst');
});

test('an error that quotes the key does not show it', async () => {
  // No header may hold a line break.
  const answer = await ask(() => {}, { apiKey: 'petstore_prod\n_of_a_test' });
  expect(answer.kind).toBe('unreachable');
  expect(JSON.stringify(answer)).not.toContain('of_a_test');
});
