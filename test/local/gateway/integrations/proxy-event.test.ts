import { expect, test } from '@jest/globals';
import { lambdaProxy } from '../../../../local/gateway/integrations/lambda-proxy.ts';
import { functionOf, responseOf } from '../../../support/http/fixture-gateway.ts';

/** Returns the event that a request becomes. */
const eventOf = async (...[message, fixture]: [object?, object?]): Promise<object> => {
  const events: object[] = [];
  const lambda = functionOf((event) => {
    events.push(event);
    return { statusCode: 200 };
  });
  await responseOf(lambdaProxy(lambda, 5_000), message, fixture);
  return events[0] ?? {};
};

test('an event has headers as the client spelled them, with last and with all values', async () => {
  const headers = { 'X-Custom': ['1', '2'], 'content-TYPE': 'text/plain' };
  expect(await eventOf({ method: 'POST', headers, body: '' })).toMatchObject({
    headers: { 'X-Custom': '2', 'content-TYPE': 'text/plain' },
    multiValueHeaders: { 'X-Custom': ['1', '2'], 'content-TYPE': ['text/plain'] },
  });
});

test('an event has query values decoded, with the last and with all values', async () => {
  expect(await eventOf({ path: '/pets?x=1%202&x=3&y=' })).toMatchObject({
    path: '/pets',
    queryStringParameters: { x: '3', y: '' },
    multiValueQueryStringParameters: { x: ['1 2', '3'], y: [''] },
  });
});

test('an event has the path and its parameters as the client encoded them', async () => {
  expect(await eventOf({ path: '/pets/a%20b' }, { resourcePath: '/pets/{id}' })).toMatchObject({
    resource: '/pets/{id}',
    path: '/pets/a%20b',
    pathParameters: { id: 'a%20b' },
    requestContext: { path: '/test/pets/a%20b', resourcePath: '/pets/{id}' },
  });
});

test('an event has the body as text', async () => {
  expect(await eventOf({ method: 'POST', body: 'ä' })).toMatchObject({
    httpMethod: 'POST',
    body: 'ä',
    isBase64Encoded: false,
  });
});

test('an event has null for every part that the request lacks', async () => {
  expect(await eventOf()).toMatchObject({
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    body: null,
  });
});

test('an event has the context of the request', async () => {
  const authorizer = {
    authorize: async () => ({ principalId: 'me' }),
    flushCache: () => {},
  };
  const headers = { Host: 'api.test', 'User-Agent': 'jest' };
  const before = Date.now();
  const { requestContext } = (await eventOf({ headers }, { authorizer })) as {
    requestContext: { requestTime: string; requestTimeEpoch: number };
  };
  expect(requestContext).toEqual({
    accountId: '000000000000',
    apiId: 'local',
    authorizer: { principalId: 'me' },
    domainName: 'api.test',
    extendedRequestId: expect.stringMatching(/^[\w+/]{15}=$/),
    httpMethod: 'GET',
    identity: { sourceIp: '127.0.0.1', userAgent: 'jest' },
    path: '/test/pets',
    protocol: 'HTTP/1.1',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestTime: expect.any(String),
    requestTimeEpoch: expect.any(Number),
    resourceId: 'Pets',
    resourcePath: '/pets',
    stage: 'test',
  });
  expect(requestContext.requestTimeEpoch).toBeGreaterThanOrEqual(before);
  expect(requestContext.requestTimeEpoch).toBeLessThanOrEqual(Date.now());
});

test('an event has the time in the format of access logs', async () => {
  const { requestContext } = (await eventOf()) as {
    requestContext: { requestTime: string; requestTimeEpoch: number };
  };
  const { requestTime, requestTimeEpoch } = requestContext;
  expect(requestTime).toMatch(/^\d\d\/[A-Z][a-z][a-z]\/\d{4}:\d\d:\d\d:\d\d \+0000$/);
  const readByDate = requestTime.replace(/^(\d+)\/(\w+)\/(\d+):(\S+)/, '$1 $2 $3 $4');
  expect(Date.parse(readByDate)).toBe(Math.floor(requestTimeEpoch / 1000) * 1000);
});

test('an event of a method without an authorizer has no values of one', async () => {
  const { requestContext } = (await eventOf()) as { requestContext: object };
  expect(requestContext).not.toHaveProperty('authorizer');
});
