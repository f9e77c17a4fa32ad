import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { type AccessRecord, accessLine, readableLine } from '../../../local/log/access-log.ts';
import { type Message, sendRaw } from '../../support/http/raw-request.ts';
import { apiWith, type Handlers, serveApi } from '../../support/http/serve-api.ts';

const requestId = '01234567-89ab-cdef-0123-456789abcdef';
const key = createApiKey('staging');
const withKey = { Authorization: `Bearer ${key}` };

/** The policy of an authorizer that decides so. */
const decision = (Effect: 'Allow' | 'Deny') => ({
  principalId: 'b5f1',
  policyDocument: { Statement: [{ Effect, Resource: '*' }] },
  context: { keyId: 'b5f1', access: 'write' },
});

const list = '{"statusCode":200,"headers":{"Vary":"Accept-Encoding"}}\0\0\0\0\0\0\0\0[]';
const working: Handlers = {
  Authorizer: () => decision('Allow'),
  ListInventory: () => Readable.from([Buffer.from(list)]),
  UpdateInventory: () => ({ statusCode: 200, headers: { ETag: '"7-sold"' }, body: '{"petId":1}' }),
};

/** Sends a request, and returns all that its client and the readers of the log get to see. */
const exchange = async (message: Message, handlers: Partial<Handlers> = {}) => {
  const logged = Promise.withResolvers<AccessRecord>();
  const api = apiWith({ ...working, ...handlers });
  const url = await serveApi(api, logged.resolve);
  const headers = { 'x-amzn-RequestId': requestId, ...message.headers };
  const response = await sendRaw(url, { ...message, headers });
  const { date, connection, ...others } = response.headers;
  const record = await logged.promise;
  return {
    status: response.status,
    headers: others,
    text: response.text,
    line: readableLine(record).replace(/^\d\d:\d\d:\d\d | \d+ ms/g, ''),
    access: JSON.parse(accessLine(api.accessLogFormat, record)),
  };
};

/** The headers of every response, and those of its own. */
const headersOf = (length: number, more: Record<string, string> = {}) => ({
  'x-amzn-requestid': requestId,
  'x-amz-apigw-id': expect.stringMatching(/^[\w+/]{15}=$/),
  'content-type': 'application/json',
  'content-length': String(length),
  ...more,
});

const error = (code: string, message: string, status: number) =>
  JSON.stringify({ code, message, status });
const unauthorized = error(
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. ' +
    'Send "Authorization: Bearer <API_KEY>".',
  401,
);
const pathNotFound = error('path_not_found', 'No operation has this path and method.', 404);
const methodNotAllowed = (allow: string) =>
  error('method_not_allowed', `${allow} is the only method of this path.`, 405);
const inventory = '/staging/v1/inventory';

interface Row {
  what: string;
  request: Message;
  handlers?: Partial<Handlers>;
  response: [status: number, text: string, headers?: Record<string, string>];
  /** The readable line, and of the access log the resource and API Gateway's own response. */
  logged: [line: string, resourcePath: string, responseType: string];
}

const ofList = '/v1/inventory';
const ofUpdate = '/v1/inventory/{petId}';
const refused = { 'www-authenticate': 'Bearer', 'x-amzn-errortype': 'UnauthorizedException' };

const rows: Row[] = [
  {
    what: 'an update',
    request: { method: 'PATCH', path: `${inventory}/1`, headers: withKey, body: '{}' },
    response: [200, '{"petId":1}', { etag: '"7-sold"' }],
    logged: ['PATCH /staging/v1/inventory/1 200 key b5f1', ofUpdate, '-'],
  },
  {
    what: 'an update whose target has a scheme and a host',
    request: { method: 'PATCH', path: `http://a.example${inventory}/1?x`, headers: withKey },
    response: [200, '{"petId":1}', { etag: '"7-sold"' }],
    logged: ['PATCH /staging/v1/inventory/1 200 key b5f1', ofUpdate, '-'],
  },
  {
    what: 'a request without a key',
    request: { path: inventory },
    response: [401, unauthorized, refused],
    logged: ['GET /staging/v1/inventory 401 unauthorized', ofList, 'UNAUTHORIZED'],
  },
  {
    what: 'two keys, of which nobody knows which one AWS would take',
    request: { path: inventory, headers: { Authorization: [withKey.Authorization, 'Bearer x'] } },
    response: [401, unauthorized, refused],
    logged: ['GET /staging/v1/inventory 401 unauthorized', ofList, 'UNAUTHORIZED'],
  },
  {
    what: 'a key that the authorizer denies',
    request: { path: inventory, headers: withKey },
    handlers: { Authorizer: () => decision('Deny') },
    response: [401, unauthorized, { ...refused, 'x-amzn-errortype': 'AccessDeniedException' }],
    logged: ['GET /staging/v1/inventory 401 unauthorized', ofList, 'ACCESS_DENIED'],
  },
  {
    what: 'a key while the authorizer fails',
    request: { path: inventory, headers: withKey },
    handlers: { Authorizer: () => Promise.reject(new Error('no table')) },
    response: [
      500,
      error('internal_error', 'The API key could not be checked. Try again later.', 500),
      { 'x-amzn-errortype': 'AuthorizerConfigurationException' },
    ],
    logged: [
      'GET /staging/v1/inventory 500 internal_error',
      ofList,
      'AUTHORIZER_CONFIGURATION_ERROR',
    ],
  },
  {
    what: 'an update whose function fails',
    request: { method: 'PATCH', path: `${inventory}/1`, headers: withKey },
    handlers: { UpdateInventory: () => Promise.reject(new Error('a secret')) },
    response: [
      502,
      error('bad_gateway', 'Something went wrong on our side. Try again later.', 502),
      { 'x-amzn-errortype': 'InternalServerErrorException' },
    ],
    logged: ['PATCH /staging/v1/inventory/1 502 bad_gateway key b5f1', ofUpdate, 'DEFAULT_5XX'],
  },
  {
    what: 'an error of a function, which is logged with its code',
    request: { method: 'PATCH', path: `${inventory}/1`, headers: withKey },
    handlers: { UpdateInventory: () => ({ statusCode: 404, body: '{"code":"pet_not_found"}' }) },
    response: [404, '{"code":"pet_not_found"}'],
    logged: ['PATCH /staging/v1/inventory/1 404 pet_not_found key b5f1', ofUpdate, '-'],
  },
  {
    what: 'a body of more than 10 MB',
    request: {
      method: 'PATCH',
      path: `${inventory}/1`,
      headers: withKey,
      body: Buffer.alloc(10_485_761),
    },
    response: [
      413,
      error('request_too_large', 'The request is too large.', 413),
      { 'x-amzn-errortype': 'RequestEntityTooLargeException' },
    ],
    logged: [
      'PATCH /staging/v1/inventory/1 413 request_too_large key b5f1',
      ofUpdate,
      'REQUEST_TOO_LARGE',
    ],
  },
  {
    what: 'a path without an operation',
    request: { path: '/staging/v1/pets' },
    response: [404, pathNotFound],
    logged: ['GET /staging/v1/pets 404 path_not_found', '/{proxy+}', '-'],
  },
  {
    what: 'the root of the stage',
    request: { path: '/staging' },
    response: [404, pathNotFound],
    logged: ['GET /staging 404 path_not_found', '/', '-'],
  },
  {
    what: 'another method of the list',
    request: { method: 'PUT', path: inventory, headers: { 'Content-Type': 'Text/Plain; x=y' } },
    response: [405, methodNotAllowed('GET'), { allow: 'GET' }],
    logged: ['PUT /staging/v1/inventory 405 method_not_allowed', ofList, '-'],
  },
  {
    what: 'another method of an entry',
    request: { method: 'DELETE', path: `${inventory}/1` },
    response: [405, methodNotAllowed('PATCH'), { allow: 'PATCH' }],
    logged: ['DELETE /staging/v1/inventory/1 405 method_not_allowed', ofUpdate, '-'],
  },
  {
    what: 'another method with a content type for which no mock has a template',
    request: { method: 'PUT', path: inventory, headers: { 'Content-Type': 'constructor' } },
    response: [404, pathNotFound, { 'x-amzn-errortype': 'BadRequestException' }],
    logged: ['PUT /staging/v1/inventory 404 path_not_found', ofList, 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    what: 'a path outside the stage',
    request: { path: '/live/v1/inventory' },
    response: [403, '{"message":"Forbidden"}', { 'x-amzn-errortype': 'ForbiddenException' }],
    logged: [
      'GET /live/v1/inventory 403 (outside the stage, whose paths begin with /staging/)',
      '-',
      'FORBIDDEN',
    ],
  },
];

test.each(rows)('$what gets its response, and is logged', async (row) => {
  const [status, text, headers = {}] = row.response;
  const [line, resourcePath, responseType] = row.logged;
  const { access, ...exchanged } = await exchange(row.request, row.handlers);
  expect(exchanged).toStrictEqual({ status, headers: headersOf(text.length, headers), text, line });
  expect([access.resourcePath, access.responseType]).toStrictEqual([resourcePath, responseType]);
});

test('a list is streamed', async () => {
  const { status, headers, text, line } = await exchange({ path: inventory, headers: withKey });
  expect({ status, text, line }).toStrictEqual({
    status: 200,
    text: '[]',
    line: 'GET /staging/v1/inventory 200 key b5f1',
  });
  expect(headers).toStrictEqual({
    'x-amzn-requestid': requestId,
    'x-amz-apigw-id': expect.any(String),
    'content-type': 'application/json',
    vary: 'Accept-Encoding',
    'transfer-encoding': 'chunked',
  });
});

test('the access log has what the local run knows, and a hyphen for the rest', async () => {
  const headers = { ...withKey, 'User-Agent': 'jest' };
  const { access, headers: received } = await exchange({ path: `${inventory}?a=b`, headers });
  expect(access).toStrictEqual({
    time: expect.stringMatching(/^\d{13}$/),
    requestId,
    extendedRequestId: received['x-amz-apigw-id'],
    ip: '127.0.0.1',
    userAgent: 'jest',
    method: 'GET',
    path: '/staging/v1/inventory',
    resourcePath: '/v1/inventory',
    keyId: 'b5f1',
    status: '200',
    responseType: '-',
    wafResponseCode: '-',
    responseLength: '-',
    latency: expect.stringMatching(/^\d+$/),
    authorizerError: '-',
    authorizerLatency: '-',
    integrationError: '-',
    integrationLatency: '-',
    integrationStatus: '-',
    timeToFirstContent: '-',
    tlsVersion: '-',
  });
});

test('a HEAD is refused as any other method, without a body', async () => {
  const { status, text, line } = await exchange({ method: 'HEAD', path: inventory });
  expect({ status, text, line }).toStrictEqual({
    status: 405,
    text: '',
    line: 'HEAD /staging/v1/inventory 405 method_not_allowed',
  });
});

test.each([
  { given: [], id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
  { given: '01234567-89AB-cdef-0123-456789abcdef', id: /^01234567-89AB-cdef-0123-456789abcdef$/ },
  { given: `0${requestId}`, id: /^UUID_REPLACED_INVALID_REQUEST_ID$/ },
  { given: `${requestId}0`, id: /^UUID_REPLACED_INVALID_REQUEST_ID$/ },
])('the request id is the one that a client chose if it is a UUID: $given', async (row) => {
  const headers = { 'x-amzn-RequestId': row.given };
  const { headers: received } = await exchange({ path: '/staging', headers });
  expect(received['x-amzn-requestid']).toMatch(row.id);
});

test('the authorizer is asked with the token and the method ARN, and by no request that is throttled', async () => {
  const events: unknown[] = [];
  const Authorizer = (event: unknown) => {
    events.push(event);
    return decision('Deny');
  };
  const url = await serveApi(apiWith({ ...working, Authorizer }));
  const responses = await Promise.all(
    // The burst of lists is 20, and 10 more may come each second.
    Array.from({ length: 60 }, (_, n) => {
      const headers = { Authorization: `Bearer ${createApiKey('staging')}` };
      return sendRaw(url, { path: `${inventory}?n=${n}`, headers });
    }),
  );
  const throttled = responses.filter(({ status }) => status === 429);
  expect(throttled.length).toBeGreaterThan(0);
  expect(throttled[0]).toMatchObject({
    headers: { 'retry-after': '1', 'x-amzn-errortype': 'TooManyRequestsException' },
    text: error('too_many_requests', 'Too many requests. Try again later.', 429),
  });
  expect(events).toHaveLength(60 - throttled.length);
  expect(events[0]).toStrictEqual({
    type: 'TOKEN',
    methodArn: 'arn:aws:execute-api:us-east-1:000000000000:local/staging/GET/v1/inventory',
    authorizationToken: expect.stringMatching(/^Bearer petstore_staging_[0-9a-f]{48}$/),
  });
});

test.each<{ what: string; handlers: Partial<Handlers>; key: string; failure: RegExp }>([
  {
    what: 'an authorizer that returns no policy',
    handlers: { Authorizer: () => ({ principalId: 'no policy' }) },
    key: '',
    failure: /^TypeError: .*\n +at /,
  },
  {
    what: 'a function that returns a header with a line feed',
    handlers: { UpdateInventory: () => ({ statusCode: 200, headers: { 'X-One': 'a\nb' } }) },
    key: ' key b5f1',
    failure: /^TypeError: Invalid character in header content \["X-One"\]/,
  },
  {
    what: 'a function that returns a text, and so no status',
    handlers: { UpdateInventory: () => 'text' },
    key: ' key b5f1',
    failure: /^RangeError: Invalid status code: undefined/,
  },
  {
    what: 'a function that returns a status which HTTP does not have',
    handlers: { UpdateInventory: () => ({ statusCode: 1_000 }) },
    key: ' key b5f1',
    failure: /^RangeError: Invalid status code: 1000/,
  },
])('$what gets a 502, and is printed', async ({ handlers, key: ofKey, failure }) => {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  const request = { method: 'PATCH', path: `${inventory}/1`, headers: withKey };
  const { status, text, line } = await exchange(request, handlers);
  expect({ status, text, line }).toStrictEqual({
    status: 502,
    text: error('bad_gateway', 'Something went wrong on our side. Try again later.', 502),
    line: `PATCH /staging/v1/inventory/1 502 bad_gateway${ofKey}`,
  });
  expect(printed.mock.calls).toStrictEqual([[expect.stringMatching(failure)]]);
  printed.mockRestore();
});

describe('a client', () => {
  /** Serves an authorizer that decides only after a client has left, and connects to it. */
  const connected = async (
    UpdateInventory: Handlers['UpdateInventory'],
    effect: 'Allow' | 'Deny' = 'Allow',
  ) => {
    const left = Promise.withResolvers<AccessRecord>();
    const Authorizer = async () => {
      await left.promise;
      return decision(effect);
    };
    const api = apiWith({ ...working, Authorizer, UpdateInventory });
    const { port } = new URL(await serveApi(api, left.resolve));
    const client = connect(Number(port), '127.0.0.1');
    const head = `PATCH ${inventory}/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
    return { client, head, left: left.promise };
  };

  test('that leaves has its request handled if that has arrived, and logged without a status', async () => {
    const handled = Promise.withResolvers<string>();
    const { client, head, left } = await connected(({ body }) => {
      handled.resolve(body);
      return { statusCode: 200 };
    });
    client.write(`${head}Content-Length: 4\r\n\r\nbody`, () => client.resetAndDestroy());
    expect(readableLine(await left)).toMatch(/ PATCH \/staging\/v1\/inventory\/1 - \d+ ms$/);
    expect(await handled.promise).toBe('body');
  });

  // Jest fails a test in which nobody handles a rejection; `petstore start` would end. After a Deny,
  // nobody asks for the body, which fails.
  test.each(['Allow', 'Deny'] as const)(
    'that leaves in the middle of a body ends nothing, and nothing is printed (%s)',
    async (effect) => {
      using printed = jest.spyOn(console, 'error').mockReturnValue();
      const update = jest.fn();
      const { client, head, left } = await connected(update, effect);
      client.write(`${head}Content-Length: 9\r\n\r\nbody`, () => client.resetAndDestroy());
      expect(readableLine(await left)).toMatch(/ PATCH \/staging\/v1\/inventory\/1 - \d+ ms$/);
      await exchange({ path: '/staging' });
      expect([update.mock.calls, printed.mock.calls]).toStrictEqual([[], []]);
    },
  );

  test('that shuts down its sending half gets its response', async () => {
    const shutDown = Promise.withResolvers<void>();
    const UpdateInventory = async () => {
      await shutDown.promise;
      // By the time that another request has its response, the server has learned of it.
      await exchange({ path: '/staging' });
      return { statusCode: 200, body: '[]' };
    };
    const { port } = new URL(await serveApi(apiWith({ ...working, UpdateInventory })));
    const client = connect(Number(port), '127.0.0.1');
    const head = `PATCH ${inventory}/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    client.end(head, () => shutDown.resolve());
    expect(await textOf(client)).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\n\[\]$/s);
  });
});
