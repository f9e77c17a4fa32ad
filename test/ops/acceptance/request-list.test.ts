import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { afterEach, expect, jest, test } from '@jest/globals';
import { requestList } from '../../../ops/acceptance/request-list.ts';
import { serve } from '../../support/http/serve.ts';

afterEach(() => void jest.restoreAllMocks());

const requestFrom = async (listener: RequestListener) => {
  const url = await serve(listener);
  return requestList(`${url}/prod/v1`, 'petstore_prod_of_a_test');
};

test('the list is requested with the key', async () => {
  let asked: unknown;
  const list = await requestFrom(({ url, headers }, response) => {
    asked = { url, authorization: headers.authorization };
    response.end('[]');
  });
  expect(asked).toEqual({
    url: '/prod/v1/inventory',
    authorization: 'Bearer petstore_prod_of_a_test',
  });
  expect(list).toEqual({ status: 200, beginning: '[]' });
});

test('an empty list that comes in two parts is read as a whole', async () => {
  const list = await requestFrom((_request, response) => {
    response.write('[', () => setImmediate(() => response.end(']')));
  });
  expect(list.beginning).toBe('[]');
});

test('a list is closed after its beginning', async () => {
  let closed: Promise<unknown> | undefined;
  const { beginning } = await requestFrom((_request, response) => {
    closed = once(response, 'close');
    // A list that never ends.
    response.write('[{"petId":1,');
  });
  expect(beginning).toBe('[{"petId":1,');
  await closed;
});

test('a list without a response is given up after 30 seconds', async () => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const list = requestFrom(() => limit.abort(new Error('The time is up.')));
  await expect(list).rejects.toThrow('The time is up.');
  expect(timeout).toHaveBeenCalledWith(30_000);
});
