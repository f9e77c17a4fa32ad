import { once } from 'node:events';
import { connect } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { lambdaProxy } from '../../../../local/gateway/integrations/lambda-proxy.ts';
import { lambdaStreamingProxy } from '../../../../local/gateway/integrations/lambda-streaming-proxy.ts';
import { EventTooLargeError, FunctionError } from '../../../../local/lambda/function-error.ts';
import { functionOf, responseOf, serveRoute } from '../../../support/http/fixture-gateway.ts';
import { open } from '../../../support/http/http-client.ts';

const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => void printed.mockClear());

/**
 * The integrations of a function that has half a second: one takes its whole result, one streams
 * it.
 */
const whole = (handler: Parameters<typeof functionOf>[0]) => lambdaProxy(functionOf(handler), 500);
const streamed = (result: () => Readable | Promise<Readable>) =>
  lambdaStreamingProxy(functionOf(result), 500);

const echo = whole((event) => ({ statusCode: 200, body: JSON.stringify(event) }));

test('an event has headers as the client spelled them, and values decoded or raw as API Gateway leaves them', async () => {
  const headers = { 'X-Custom': ['1', '2'], 'content-TYPE': 'text/plain' };
  const message = { method: 'POST', path: '/pets/a%20b?x=1%202&x=3&y=', headers, body: 'ä' };
  const authorizer = { principalId: 'me' };
  const authorize = Object.assign(async () => authorizer, { flushCache: () => {} });
  expect(
    (await responseOf(echo, message, { resourcePath: '/pets/{id}', authorize })).body,
  ).toMatchObject({
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

test('an event has null for every part that the request lacks', async () => {
  expect((await responseOf(echo)).body).toMatchObject({
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    body: null,
  });
});

test('a result may have headers with several values; some are renamed; base64 stays, because the API has no binary types', async () => {
  const result = {
    statusCode: '201',
    headers: {
      'X-One': 1,
      'WWW-Authenticate': 'Basic',
      Date: 'today',
      'Content-Type': 'text/plain',
    },
    multiValueHeaders: { 'X-Two': ['a', 'b'] },
    body: 'e30=',
    isBase64Encoded: true,
  };
  const { headers, ...response } = await responseOf(whole(() => result));
  expect(response).toMatchObject({ status: 201, text: 'e30=' });
  expect(headers).toMatchObject({
    'content-type': 'text/plain',
    'x-one': '1',
    'x-two': 'a, b',
    'x-amzn-remapped-www-authenticate': 'Basic',
    'x-amzn-remapped-date': 'today',
  });
  expect(headers).not.toHaveProperty('www-authenticate');
});

const head = { statusCode: 201, headers: { 'X-One': 1, Server: 'mine' }, cookies: ['a=b'] };
const metadata = JSON.stringify(head) + '\0'.repeat(8);
/** Returns a streamed result of which this text has arrived. */
const begun = (text: string): PassThrough => {
  const result = new PassThrough();
  result.write(text);
  return result;
};

const rejects = (error: Error) => () => Promise.reject(error);
test.each([
  [
    'an unknown key in its result',
    whole(() => ({ statusCode: 200, body: '', extra: true })),
    502,
    'DEFAULT_5XX',
  ],
  ['an invalid status', whole(() => ({ statusCode: 600 })), 502, 'DEFAULT_5XX'],
  ['a body that is not a text', whole(() => ({ statusCode: 200, body: {} })), 502, 'DEFAULT_5XX'],
  ['no result', whole(() => null), 502, 'DEFAULT_5XX'],
  ['no metadata', streamed(() => begun('[]').end()), 502, 'DEFAULT_5XX'],
  ['invalid metadata', streamed(() => begun(`[]${metadata.slice(-8)}`).end()), 502, 'DEFAULT_5XX'],
  ['a failure', whole(rejects(new FunctionError('secret'))), 502, 'DEFAULT_5XX'],
  ['too large an event', whole(rejects(new EventTooLargeError('6 MB'))), 413, 'REQUEST_TOO_LARGE'],
  ['no result in time', whole(() => new Promise(() => {})), 504, 'INTEGRATION_TIMEOUT'],
  ['no metadata in time', streamed(() => begun('{')), 504, 'INTEGRATION_TIMEOUT'],
])('an invocation with %s gets an error response', async (_what, integration, status, body) => {
  expect(await responseOf(integration)).toMatchObject({ status, body });
});

test('a streamed response has the status and headers of the metadata, and its body is sent as it arrives', async () => {
  const result = begun(metadata.slice(0, 30));
  const responding = open(await serveRoute(streamed(() => result)), { path: '/pets' });
  result.write(`${metadata.slice(30)}[1`);
  const { statusCode, headers } = await responding;
  const body = (await responding).setEncoding('utf8');
  expect([statusCode, await once(body, 'data')]).toEqual([201, ['[1']]);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'transfer-encoding': 'chunked',
    'x-one': '1',
    'x-amzn-remapped-server': 'mine',
    'set-cookie': ['a=b'],
  });
  result.end(',2]');
  expect(await body.toArray()).toEqual([',2]']);
});

test.each([
  ['fails', new FunctionError('late'), 'late'],
  ['takes too long', undefined, 'it took too long.'],
])('a response is cut off when its function %s halfway', async (_how, failure, reason) => {
  const result = begun(`${metadata}[1`);
  const response = await open(await serveRoute(streamed(() => result)), { path: '/pets' });
  expect([response.statusCode, await once(response.setEncoding('utf8'), 'data')]).toEqual([
    201,
    ['[1'],
  ]);
  if (failure) {
    result.destroy(failure);
  }
  await expect(once(response, 'data')).rejects.toMatchObject({ code: 'ECONNRESET' });
  while (printed.mock.calls.length === 0) {
    await sleep(10);
  }
  expect(printed.mock.calls).toEqual([[`The response was cut: ${reason}`]]);
});

test.each([
  ['before there is a result', false],
  ['halfway through the result', true],
])('a result is destroyed when the client leaves %s', async (_when, hasBegun) => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<unknown>();
  const result = begun(`${metadata}[1`);
  const respond = async () => {
    asked.resolve();
    await (hasBegun || left.promise);
    return result;
  };
  const { port } = new URL(await serveRoute(streamed(respond), { log: left.resolve }));
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET /test/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await (hasBegun ? once(client, 'readable') : asked.promise);
  client.destroy();
  await once(result, 'close');
  expect(printed.mock.calls).toEqual([]);
});
