import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { lambdaProxy, withTimeout } from '../../../local/gateway/integrations/lambda-proxy.ts';
import {
  EventTooLargeError,
  FunctionError,
  NotInvokedError,
} from '../../../local/lambda/function-error.ts';
import type { AccessRecord } from '../../../local/log/access-log.ts';
import { clientsAt } from '../../support/http/clients-at.ts';
import { functionOf, responseOf } from '../../support/http/fixture-gateway.ts';

clientsAt('192.0.2.1');

afterEach(() => void jest.useRealTimers());

/** The integration of a function that has five seconds. */
const proxy = (handler: (event: object) => unknown) => lambdaProxy(functionOf(handler), 5_000);

/** Returns the event that a request becomes. */
const eventOf = async (message: object = {}, fixture: object = {}): Promise<object> => {
  const events: object[] = [];
  const handler = (event: object) => {
    events.push(event);
    return { statusCode: 200 };
  };
  await responseOf(proxy(handler), message, fixture);
  return events[0] ?? {};
};

describe('the event of a request', () => {
  test('has headers as the client spelled them, with last and with all values', async () => {
    const headers = { 'X-Custom': ['1', '2'], 'content-TYPE': 'text/plain' };
    expect(await eventOf({ method: 'POST', headers, body: '' })).toMatchObject({
      headers: { 'X-Custom': '2', 'content-TYPE': 'text/plain' },
      multiValueHeaders: { 'X-Custom': ['1', '2'], 'content-TYPE': ['text/plain'] },
    });
  });

  test('has query values decoded, with the last and with all values', async () => {
    expect(await eventOf({ path: '/pets?x=1%202&x=3&y=' })).toMatchObject({
      path: '/pets',
      queryStringParameters: { x: '3', y: '' },
      multiValueQueryStringParameters: { x: ['1 2', '3'], y: [''] },
    });
  });

  test('has the path and its parameters as the client encoded them', async () => {
    expect(await eventOf({ path: '/pets/a%20b' }, { resourcePath: '/pets/{id}' })).toMatchObject({
      resource: '/pets/{id}',
      path: '/pets/a%20b',
      pathParameters: { id: 'a%20b' },
      requestContext: { path: '/test/pets/a%20b', resourcePath: '/pets/{id}' },
    });
  });

  test('has the body as text', async () => {
    expect(await eventOf({ method: 'POST', body: 'ä' })).toMatchObject({
      httpMethod: 'POST',
      body: 'ä',
      isBase64Encoded: false,
    });
  });

  test('has null for every part that the request lacks', async () => {
    const event = await eventOf();
    expect(event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      stageVariables: null,
      body: null,
    });
    expect(event).not.toHaveProperty('requestContext.authorizer');
  });
});

test('the event of a request has its context', async () => {
  const authorizer = { authorize: async () => ({ principalId: 'me' }), flushCache: () => {} };
  const headers = { Host: 'api.test', 'User-Agent': 'jest' };
  const now = new Date('2026-11-22T09:05:07.123Z');
  jest.useFakeTimers({
    now,
    doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
  });
  expect(await eventOf({ headers }, { authorizer })).toHaveProperty('requestContext', {
    accountId: '000000000000',
    apiId: 'local',
    authorizer: { principalId: 'me' },
    domainName: 'api.test',
    extendedRequestId: expect.stringMatching(/^[\w+/]{15}=$/),
    httpMethod: 'GET',
    identity: { sourceIp: '192.0.2.1', userAgent: 'jest' },
    path: '/test/pets',
    protocol: 'HTTP/1.1',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestTime: '22/Nov/2026:09:05:07 +0000',
    requestTimeEpoch: now.getTime(),
    resourceId: 'Pets',
    resourcePath: '/pets',
    stage: 'test',
  });
});

describe('the result of a function', () => {
  test('becomes the response', async () => {
    const result = {
      statusCode: 201,
      headers: { 'X-One': 1 },
      multiValueHeaders: { 'X-Two': ['a', 'b'] },
      body: '["created"]',
    };
    expect(await responseOf(proxy(() => result))).toMatchObject({
      status: 201,
      headers: { 'content-type': 'application/json', 'x-one': '1', 'x-two': 'a, b' },
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

  test('may have another content type', async () => {
    const result = { statusCode: 200, headers: { 'content-type': 'text/plain' } };
    const { headers } = await responseOf(proxy(() => result));
    expect(headers['content-type']).toBe('text/plain');
  });

  test('in base64 stays encoded, because the API has no binary media types', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const result = { statusCode: 200, headers, body: 'e30=', isBase64Encoded: true };
    expect((await responseOf(proxy(() => result))).text).toBe('e30=');
  });

  test('has some headers under other names', async () => {
    const names = [
      'authorization',
      'connection',
      'content-md5',
      'date',
      'server',
      'user-agent',
      'www-authenticate',
    ];
    const given = Object.fromEntries(names.map((name) => [name, 'of the function']));
    const { headers } = await responseOf(proxy(() => ({ statusCode: 200, headers: given })));
    const renamed = names.map((name) => [`x-amzn-remapped-${name}`, 'of the function']);
    expect(headers).toMatchObject(Object.fromEntries(renamed));
    expect(names.filter((name) => headers[name] === 'of the function')).toEqual([]);
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

  test.each([
    { what: 'an unknown key', result: { statusCode: 200, body: '', extra: true } },
    { what: 'an invalid status', result: { statusCode: 600 } },
    { what: 'no status', result: { body: '' } },
    { what: 'a body that is not a text', result: { statusCode: 200, body: {} } },
    { what: 'no object', result: 'text' },
    { what: 'a list', result: [] },
    { what: 'nothing', result: null },
  ])('with $what gets a 502', async ({ result }) => {
    expect(await responseOf(proxy(() => result))).toMatchObject({
      status: 502,
      body: 'DEFAULT_5XX',
    });
  });
});

describe('an invocation', () => {
  test.each([
    { error: new FunctionError('secret'), status: 502, body: 'DEFAULT_5XX' },
    { error: new EventTooLargeError('6 MB'), status: 413, body: 'REQUEST_TOO_LARGE' },
    { error: new NotInvokedError('busy'), status: 500, body: 'API_CONFIGURATION_ERROR' },
  ])('that fails with $error.constructor.name gets a $status', async (row) => {
    const integration = proxy(() => Promise.reject(row.error));
    expect(await responseOf(integration)).toMatchObject({ status: row.status, body: row.body });
  });

  test('without a result in time gets a 504', async () => {
    const integration = lambdaProxy(
      functionOf(() => new Promise(() => {})),
      10,
    );
    expect(await responseOf(integration)).toMatchObject({
      status: 504,
      body: 'INTEGRATION_TIMEOUT',
    });
  });

  test('that has ended leaves no timer, which would keep its result', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    await withTimeout(Promise.resolve('a result'), 500);
    await expect(withTimeout(Promise.reject(new Error('no')), 500)).rejects.toThrow();
    await new Promise(setImmediate);
    expect(jest.getTimerCount()).toBe(0);
  });
});
