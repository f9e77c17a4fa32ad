import { expect, test } from '@jest/globals';
import { lambdaProxy } from '../../../../local/gateway/integrations/lambda-proxy.ts';
import { EventTooLargeError, FunctionError, NotInvokedError } from '../../../../local/lambda/function-error.ts';
import { functionOf, serveRoute } from '../../../support/fixture-gateway.ts';
import { type Message, sendRaw } from '../../../support/http-client.ts';

/** Sends a request to a function that has half a second. */
const send = async (handler: Parameters<typeof functionOf>[0], message: Message = { path: '/pets' }, route = {}) =>
  sendRaw(await serveRoute(lambdaProxy(functionOf(handler), 500), route), message);
const echo = (event: object) => ({ statusCode: 200, body: JSON.stringify(event) });

test('an event has headers in their spelling, values decoded or raw as API Gateway leaves them', async () => {
  const headers = { 'X-Custom': ['1', '2'], 'content-TYPE': 'text/plain' };
  const message = { method: 'POST', path: '/pets/a%20b?x=1%202&x=3&y=', headers, body: 'ä' };
  const authorizer = { principalId: 'me' };
  const authorize = Object.assign(async () => authorizer, { flushCache: () => {} });
  expect((await send(echo, message, { resourcePath: '/pets/{id}', authorize })).body).toMatchObject({
    resource: '/pets/{id}',
    path: '/pets/a%20b',
    httpMethod: 'POST',
    headers: { 'X-Custom': '2', 'content-TYPE': 'text/plain' },
    multiValueHeaders: { 'X-Custom': ['1', '2'], 'content-TYPE': ['text/plain'] },
    queryStringParameters: { x: '3', y: '' },
    multiValueQueryStringParameters: { x: ['1 2', '3'], y: [''] },
    pathParameters: { id: 'a%20b' },
    body: 'ä',
    isBase64Encoded: false,
    requestContext: {
      authorizer,
      stage: 'test',
      path: '/test/pets/a%20b',
      resourcePath: '/pets/{id}',
      httpMethod: 'POST',
      requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z][a-z]\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
    },
  });
});

test('an event has null where there is nothing', async () => {
  const names = [
    'queryStringParameters',
    'multiValueQueryStringParameters',
    'pathParameters',
    'stageVariables',
    'body',
  ];
  expect((await send(echo)).body).toMatchObject(Object.fromEntries(names.map((name) => [name, null])));
});

test('a result may have headers of several values and a base64 body; some headers are renamed', async () => {
  const { headers, ...response } = await send(() => ({
    statusCode: '201',
    headers: { 'X-One': 1, 'WWW-Authenticate': 'Basic', Date: 'today' },
    multiValueHeaders: { 'X-Two': ['a', 'b'] },
    body: 'e30=',
    isBase64Encoded: true,
  }));
  expect(response).toEqual({ status: 201, text: '{}', body: {} });
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-one': '1',
    'x-two': 'a, b',
    'x-amzn-remapped-www-authenticate': 'Basic',
    'x-amzn-remapped-date': 'today',
  });
  expect(headers).not.toHaveProperty('www-authenticate');
});

const rejects = (error: Error) => () => Promise.reject(error);
test.each<[string, () => unknown, string]>([
  ['a key too many', () => ({ statusCode: 200, body: '', extra: true }), 'DEFAULT_5XX'],
  ['no status', () => ({ body: '' }), 'DEFAULT_5XX'],
  ['a status that is none', () => ({ statusCode: 42 }), 'DEFAULT_5XX'],
  ['a body that is no text', () => ({ statusCode: 200, body: {} }), 'DEFAULT_5XX'],
  ['nothing', () => null, 'DEFAULT_5XX'],
  ['a failure', rejects(new FunctionError('secret')), 'DEFAULT_5XX'],
  ['no instance', rejects(new NotInvokedError('busy')), 'API_CONFIGURATION_ERROR'],
  ['too large an event', rejects(new EventTooLargeError('6 MB')), 'REQUEST_TOO_LARGE'],
  ['no end in time', () => new Promise(() => {}), 'INTEGRATION_TIMEOUT'],
])('a result with %s is an error', async (_what, handler, responseType) => {
  expect((await send(handler)).body).toBe(responseType);
});
