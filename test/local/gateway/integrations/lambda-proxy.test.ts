import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { lambdaProxy, withTimeout } from '../../../../local/gateway/integrations/lambda-proxy.ts';
import {
  EventTooLargeError,
  FunctionError,
  NotInvokedError,
} from '../../../../local/lambda/function-error.ts';
import type { AccessRecord } from '../../../../local/log/access-log.ts';
import { functionOf, responseOf } from '../../../support/http/fixture-gateway.ts';

afterEach(() => void jest.useRealTimers());

/** The integration of a function that has half a second. */
const proxy = (handler: () => unknown) => lambdaProxy(functionOf(handler), 500);

describe('a result', () => {
  test('becomes the response', async () => {
    const result = { statusCode: 201, headers: { 'X-One': 1 }, body: '["created"]' };
    expect(await responseOf(proxy(() => result))).toMatchObject({
      status: 201,
      headers: { 'x-one': '1' },
      body: ['created'],
    });
  });

  test('may have its status as text', async () => {
    expect(await responseOf(proxy(() => ({ statusCode: '204' })))).toMatchObject({ status: 204 });
  });

  test.each([undefined, null])('has no body if that is %p', async (body) => {
    const result = { statusCode: 200, body };
    expect(await responseOf(proxy(() => result))).toMatchObject({ status: 200, text: '' });
  });

  test('is JSON unless it says otherwise', async () => {
    const { headers } = await responseOf(proxy(() => ({ statusCode: 200 })));
    expect(headers['content-type']).toBe('application/json');
  });

  test('may have another content type', async () => {
    const result = { statusCode: 200, headers: { 'content-type': 'text/plain' } };
    const { headers } = await responseOf(proxy(() => result));
    expect(headers['content-type']).toBe('text/plain');
  });

  test('may have headers with several values', async () => {
    const result = { statusCode: 200, multiValueHeaders: { 'X-Two': ['a', 'b'] } };
    expect((await responseOf(proxy(() => result))).headers['x-two']).toBe('a, b');
  });

  test('in base64 stays encoded, because the API has no binary media types', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const result = { statusCode: 200, headers, body: 'e30=', isBase64Encoded: true };
    expect((await responseOf(proxy(() => result))).text).toBe('e30=');
  });

  test.each([
    'Authorization',
    'Connection',
    'Content-MD5',
    'Date',
    'Server',
    'User-Agent',
    'WWW-Authenticate',
  ])('has its header %s under another name', async (name) => {
    const result = { statusCode: 200, headers: { [name]: 'of the function' } };
    const { headers } = await responseOf(proxy(() => result));
    expect(headers).toHaveProperty(`x-amzn-remapped-${name.toLowerCase()}`, 'of the function');
    expect(headers[name.toLowerCase()]).not.toBe('of the function');
  });

  test('that is an error is logged with its code', async () => {
    const records: AccessRecord[] = [];
    const result = { statusCode: 404, body: '{"code":"pet_not_found"}' };
    await responseOf(
      proxy(() => result),
      {},
      { log: (record) => records.push(record) },
    );
    expect(records).toMatchObject([{ status: 404, errorCode: 'pet_not_found' }]);
  });
});

test.each([
  { what: 'an unknown key', result: { statusCode: 200, body: '', extra: true } },
  { what: 'an invalid status', result: { statusCode: 600 } },
  { what: 'no status', result: { body: '' } },
  { what: 'a body that is not a text', result: { statusCode: 200, body: {} } },
  { what: 'no object', result: 'text' },
  { what: 'a list', result: [] },
  { what: 'nothing', result: null },
])('a result with $what gets a 502', async ({ result }) => {
  expect(await responseOf(proxy(() => result))).toMatchObject({ status: 502, body: 'DEFAULT_5XX' });
});

test.each([
  { error: new FunctionError('secret'), status: 502, body: 'DEFAULT_5XX' },
  { error: new EventTooLargeError('6 MB'), status: 413, body: 'REQUEST_TOO_LARGE' },
  { error: new NotInvokedError('busy'), status: 500, body: 'API_CONFIGURATION_ERROR' },
])('an invocation that fails with $error.constructor.name gets a $status', async (row) => {
  const integration = proxy(() => Promise.reject(row.error));
  expect(await responseOf(integration)).toMatchObject({ status: row.status, body: row.body });
});

test('an invocation without a result in time gets a 504', async () => {
  const integration = proxy(() => new Promise(() => {}));
  expect(await responseOf(integration)).toMatchObject({
    status: 504,
    body: 'INTEGRATION_TIMEOUT',
  });
});

test('an invocation that has ended leaves no timer, which would keep its result', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  await withTimeout(Promise.resolve('a result'), 500);
  await expect(withTimeout(Promise.reject(new Error('no')), 500)).rejects.toThrow();
  await new Promise(setImmediate);
  expect(jest.getTimerCount()).toBe(0);
});
