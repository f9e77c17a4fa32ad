import { expect, test } from '@jest/globals';
import { lambdaProxy } from '../../../../local/gateway/integrations/lambda-proxy.ts';
import { EventTooLargeError, FunctionError, NotInvokedError } from '../../../../local/lambda/function-error.ts';
import { functionOf, responseOf } from '../../../support/fixture-gateway.ts';

/** The integration of a function that has half a second. */
const proxy = (handler: Parameters<typeof functionOf>[0]) => lambdaProxy(functionOf(handler), 500);
const echo = proxy((event) => ({ statusCode: 200, body: JSON.stringify(event) }));

test('an event has headers in their spelling, values decoded or raw as API Gateway leaves them', async () => {
  const headers = { 'X-Custom': ['1', '2'], 'content-TYPE': 'text/plain' };
  const message = { method: 'POST', path: '/pets/a%20b?x=1%202&x=3&y=', headers, body: 'ä' };
  const authorizer = { principalId: 'me' };
  const authorize = Object.assign(async () => authorizer, { flushCache: () => {} });
  expect((await responseOf(echo, message, { resourcePath: '/pets/{id}', authorize })).body).toMatchObject({
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
  expect((await responseOf(echo)).body).toMatchObject({
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    body: null,
  });
});

test('a result may have headers of several values and a base64 body; some headers are renamed', async () => {
  const result = {
    statusCode: '201',
    headers: { 'X-One': 1, 'WWW-Authenticate': 'Basic', Date: 'today' },
    multiValueHeaders: { 'X-Two': ['a', 'b'] },
    body: 'e30=',
    isBase64Encoded: true,
  };
  const { headers, ...response } = await responseOf(proxy(() => result));
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
test.each<[string, () => unknown, number, string]>([
  ['a key too many', () => ({ statusCode: 200, body: '', extra: true }), 502, 'DEFAULT_5XX'],
  ['a status that is none', () => ({ statusCode: 600 }), 502, 'DEFAULT_5XX'],
  ['a body that is no text', () => ({ statusCode: 200, body: {} }), 502, 'DEFAULT_5XX'],
  ['nothing', () => null, 502, 'DEFAULT_5XX'],
  ['a failure', rejects(new FunctionError('secret')), 502, 'DEFAULT_5XX'],
  ['no instance', rejects(new NotInvokedError('busy')), 500, 'API_CONFIGURATION_ERROR'],
  ['too large an event', rejects(new EventTooLargeError('6 MB')), 413, 'REQUEST_TOO_LARGE'],
  ['no end in time', () => new Promise(() => {}), 504, 'INTEGRATION_TIMEOUT'],
])('a result with %s is an error', async (_what, handler, status, body) => {
  expect(await responseOf(proxy(handler))).toMatchObject({ status, body });
});
