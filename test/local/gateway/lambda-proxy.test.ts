// What a function gets of a request, what its result becomes, and how long it may take.
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { lambdaProxy, lambdaStreamingProxy } from '../../../local/gateway/lambda-proxy.ts';
import { findRoute, type GatewayRequest } from '../../../local/gateway/route.ts';
import { type Message, open, sendRaw } from '../../support/http/raw-request.ts';
import { apiWith, decision, functionOf, serveApi } from '../../support/http/serve-api.ts';
import { until } from '../../support/process/until.ts';

const withKey = { Authorization: `Bearer ${createApiKey('staging')}` };

/** Returns the events that an update becomes, below /staging/v1/inventory. */
const eventsOf = async ({ path, ...message }: Message): Promise<unknown[]> => {
  const events: unknown[] = [];
  const api = apiWith({
    Authorizer: (event) => {
      events.push(event);
      return decision();
    },
    UpdateInventory: (event) => {
      events.push(event);
      return { statusCode: 200 };
    },
  });
  const url = await serveApi(api);
  const headers = { Host: 'api.test', ...withKey, ...message.headers };
  await sendRaw(`${url}/staging/v1/inventory`, { method: 'PATCH', path, ...message, headers });
  return events;
};

const ofAuthorizer = (path: string) => ({
  type: 'TOKEN',
  methodArn: `arn:aws:execute-api:us-east-1:000000000000:local/staging/PATCH/v1/inventory/${path}`,
  authorizationToken: withKey.Authorization,
});

/** The event of an update without a body. */
const usual = {
  resource: '/v1/inventory/{petId}',
  path: '/v1/inventory/1',
  httpMethod: 'PATCH',
  headers: { Host: 'api.test', ...withKey, Connection: 'close', 'Content-Length': '0' },
  multiValueHeaders: {
    Host: ['api.test'],
    Authorization: [withKey.Authorization],
    Connection: ['close'],
    'Content-Length': ['0'],
  },
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: { petId: '1' },
  stageVariables: null,
  requestContext: {
    authorizer: { keyId: 'b5f1', access: 'write', principalId: 'b5f1' },
    domainName: 'api.test',
    extendedRequestId: expect.stringMatching(/^[\w+/]{15}=$/),
    httpMethod: 'PATCH',
    identity: { sourceIp: '127.0.0.1', userAgent: null },
    path: '/staging/v1/inventory/1',
    protocol: 'HTTP/1.1',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestTimeEpoch: expect.any(Number),
    resourcePath: '/v1/inventory/{petId}',
    stage: 'staging',
  },
  body: null,
  isBase64Encoded: false,
};

test('a request becomes two events, with null for what it lacks', async () => {
  expect(await eventsOf({ path: '/1' })).toStrictEqual([ofAuthorizer('1'), usual]);
});

test('an event has what the client sent as it sent it, the query decoded, the last and all values', async () => {
  const headers = { 'X-Custom': ['1', '2'], 'user-AGENT': 'jest' };
  const path = '/a%20b?x=1%202&x=3&y=';
  const sent = { 'X-Custom': ['1', '2'], 'user-AGENT': ['jest'], 'Content-Length': ['2'] };
  const event = {
    ...usual,
    path: '/v1/inventory/a%20b',
    headers: { ...usual.headers, 'X-Custom': '2', 'user-AGENT': 'jest', 'Content-Length': '2' },
    multiValueHeaders: { ...usual.multiValueHeaders, ...sent },
    queryStringParameters: { x: '3', y: '' },
    multiValueQueryStringParameters: { x: ['1 2', '3'], y: [''] },
    pathParameters: { petId: 'a%20b' },
    requestContext: {
      ...usual.requestContext,
      identity: { sourceIp: '127.0.0.1', userAgent: 'jest' },
      path: '/staging/v1/inventory/a%20b',
    },
    body: 'ä',
  };
  const events = await eventsOf({ path, headers, body: 'ä' });
  expect(events).toStrictEqual([ofAuthorizer('a%20b'), event]);
});

const separator = '\0'.repeat(8);
const created = JSON.stringify({ statusCode: 201, headers: { 'X-One': 1 } }) + separator;

/** Returns a streamed result of which these texts have arrived, one by one. */
const begun = (...texts: string[]): PassThrough => {
  const result = new PassThrough();
  for (const text of texts) {
    result.write(text);
  }
  return result;
};

/** Generates a streamed result of which this text arrives before it fails. */
async function* cutOff(text: string): AsyncIterable<Buffer> {
  yield Buffer.from(text);
  throw new Error('late');
}

const json = 'application/json';
const badGateway =
  '{"code":"bad_gateway","message":"Something went wrong on our side. Try again later.","status":502}';
const failed = { status: 502, type: json, one: undefined, two: undefined, text: badGateway };

interface Result {
  what: string;
  /** An update is buffered, a list is streamed. */
  method: 'PATCH' | 'GET';
  handler: () => unknown;
  response: object;
}

const results: Result[] = [
  {
    what: 'a result with everything',
    method: 'PATCH',
    handler: () => ({
      statusCode: 201,
      headers: { 'X-One': 1 },
      multiValueHeaders: { 'X-Two': ['a', 'b'] },
      body: '["created"]',
    }),
    response: { status: 201, type: json, one: '1', two: 'a, b', text: '["created"]' },
  },
  {
    what: 'a result with another content type and no body',
    method: 'PATCH',
    handler: () => ({ statusCode: 200, headers: { 'content-type': 'text/plain' } }),
    response: { status: 200, type: 'text/plain', one: undefined, two: undefined, text: '' },
  },
  {
    what: 'a streamed result whose every byte arrives on its own',
    method: 'GET',
    handler: () => begun(...`${created}[]`).end(),
    response: { status: 201, type: json, one: '1', two: undefined, text: '[]' },
  },
  {
    what: 'a streamed error, which is read whole before it is sent,',
    method: 'GET',
    handler: () => begun(`{"statusCode":503}${separator}{"code":"x"}`).end(),
    response: { status: 503, type: json, one: undefined, two: undefined, text: '{"code":"x"}' },
  },
  {
    what: 'a streamed error that fails in the middle',
    method: 'GET',
    handler: () => Readable.from(cutOff(`{"statusCode":503}${separator}{"co`)),
    response: failed,
  },
  {
    what: 'a streamed result without metadata',
    method: 'GET',
    handler: () => begun('[]').end(),
    response: failed,
  },
  {
    what: 'a streaming function that fails',
    method: 'GET',
    handler: () => Promise.reject(new Error('a secret')),
    response: failed,
  },
];

test.each(results)('$what becomes the response', async ({ method, handler, response }) => {
  const url = await serveApi(apiWith({ ListInventory: handler, UpdateInventory: handler }));
  const path = `/staging/v1/inventory${method === 'PATCH' ? '/1' : ''}`;
  const { status, headers, text } = await sendRaw(url, { method, path, headers: withKey });
  const { 'content-type': type, 'x-one': one, 'x-two': two } = headers;
  expect({ status, type, one, two, text }).toStrictEqual(response);
});

describe('a streamed response', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Opens a list whose result has begun with `[1`. */
  const beginList = async () => {
    const result = begun(`${created}[1`);
    const url = await serveApi(apiWith({ ListInventory: () => result }));
    const response = await open(url, { path: '/staging/v1/inventory', headers: withKey });
    expect(await once(response.setEncoding('utf8'), 'data')).toStrictEqual(['[1']);
    return { result, response };
  };

  test('is sent as it arrives', async () => {
    const { result, response } = await beginList();
    result.end(',2]');
    expect(await response.toArray()).toStrictEqual([',2]']);
  });

  // The log has the status that was to be sent, so a client must get it whatever comes next.
  test('begins before the first byte of its body', async () => {
    const result = begun(created);
    const url = await serveApi(apiWith({ ListInventory: () => result }));
    const response = await open(url, { path: '/staging/v1/inventory', headers: withKey });
    expect(response.statusCode).toBe(201);
    result.end('[]');
    expect(await response.setEncoding('utf8').toArray()).toStrictEqual(['[]']);
  });

  test.each(['{"statusCode":9}', '{"statusCode":200,"headers":{"x one":"1"}}'])(
    'that HTTP does not have ends its result: %s',
    async (metadata) => {
      jest.spyOn(console, 'error').mockReturnValue();
      const result = begun(`${metadata}${separator}[1`);
      const url = await serveApi(apiWith({ ListInventory: () => result }));
      const request = { path: '/staging/v1/inventory', headers: withKey };
      expect((await sendRaw(url, request)).status).toBe(502);
      expect(result.destroyed).toBe(true);
    },
  );

  test('is cut off when its function fails', async () => {
    const { result, response } = await beginList();
    result.destroy(new Error('late'));
    await expect(once(response, 'data')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('ends its result when its client has left', async () => {
    const { result, response } = await beginList();
    response.on('error', () => {}).destroy();
    // A client that only shuts down its sending half looks the same until something is sent.
    await until('the end of the result', () => {
      result.write(',2');
      return result.destroyed;
    });
    expect(result.readableEnded).toBe(false);
  });
});

describe('the time limit of an integration', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
  const fakeTimers = () =>
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });

  /** A request as far as an event shows it. */
  const request = {
    message: { rawHeaders: [], headers: {}, socket: {} },
    record: {},
    query: new URLSearchParams(),
    pathParameters: {},
    body: Buffer.of(),
  } as unknown as GatewayRequest;
  const neverSettled = () => new Promise(() => {});

  test.each([
    { what: 'an update', method: 'PATCH', path: '/1', seconds: 29, result: neverSettled },
    { what: 'a list', method: 'GET', path: '', seconds: 70, result: () => begun('{') },
  ])('of $what is $seconds seconds, then a 504', async ({ method, path, seconds, result }) => {
    fakeTimers();
    const { resources } = apiWith({ ListInventory: result, UpdateInventory: result });
    const { route } = findRoute(resources, method, `/v1/inventory${path}`);
    const responding = route.integrate(request).catch(({ type }) => type);
    jest.advanceTimersByTime(1_000 * seconds - 1);
    expect(await Promise.race([responding, nextTurn('waiting')])).toBe('waiting');
    jest.advanceTimersByTime(1);
    expect(await responding).toBe('INTEGRATION_TIMEOUT');
  });

  test('cuts off a streamed result that has begun', async () => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const result = begun(`${created}[1`);
    await lambdaStreamingProxy(
      functionOf(() => result),
      5_000,
    )(request);
    result.on('error', () => {});
    limit.abort();
    expect(result.errored?.name).toBe('AbortError');
    expect(timeout.mock.calls).toStrictEqual([[5_000]]);
  });

  test('leaves no timer behind, which would keep a result in memory', async () => {
    fakeTimers();
    await lambdaProxy(
      functionOf(() => ({ statusCode: 200 })),
      5_000,
    )(request);
    await nextTurn();
    expect(jest.getTimerCount()).toBe(0);
  });
});
