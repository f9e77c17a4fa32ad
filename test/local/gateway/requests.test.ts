// What a client gets for a request, and what the local run logs and prints of it.
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { clientServer } from '../../../local/gateway/client-server.ts';
import { metadataEnd } from '../../../local/gateway/lambda-proxy.ts';
import { type AccessRecord, accessLine, readableLine } from '../../../local/log/access-log.ts';
import { type Message, sendRaw } from '../../support/http/raw-request.ts';
import { apiWith, decision, type Handlers, serveApi } from '../../support/http/serve-api.ts';

const requestId = '01234567-89AB-cdef-0123-456789abcdef';
const key = createApiKey('staging');
const withKey = { Authorization: `Bearer ${key}` };
const inventory = '/staging/v1/inventory';
const update = { method: 'PATCH', path: `${inventory}/1`, headers: withKey };

/** What UpdateInventory returns, unless a test says otherwise. */
const updated = () => ({ statusCode: 200, headers: { ETag: '"7-sold"' }, body: '{"petId":1}' });

let printed: jest.Spied<typeof console.error>;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => void jest.restoreAllMocks());

/**
 * Sends a request, and returns all that its client and the readers of the log get to see, without
 * times. The authorizer gives keys the id b5f1, unless a test says otherwise.
 */
const exchange = async (message: Message, handlers: Partial<Handlers> = {}) => {
  const logged = Promise.withResolvers<AccessRecord>();
  const api = apiWith({ UpdateInventory: updated, ...handlers });
  const url = await serveApi(api, logged.resolve);
  const headers = { 'x-amzn-RequestId': requestId, ...message.headers };
  const response = await sendRaw(url, { ...message, headers });
  // Node's server adds these two, not the gateway.
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

const error = (code: string, message: string, status: number) =>
  JSON.stringify({ code, message, status });
const unauthorized = error(
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. ' +
    'Send "Authorization: Bearer <API_KEY>".',
  401,
);
const notChecked = error(
  'internal_error',
  'The API key could not be checked. Try again later.',
  500,
);
const badGateway = error('bad_gateway', 'Something went wrong on our side. Try again later.', 502);
const pathNotFound = error('path_not_found', 'No operation has this path and method.', 404);
const methodNotAllowed = error('method_not_allowed', 'GET is the only method of this path.', 405);
/** The header with which API Gateway marks a response of its own. */
const own = (type: string) => ({ 'x-amzn-errortype': `${type}Exception` });

interface Row {
  what: string;
  request: Message;
  handlers?: Partial<Handlers>;
  response: [status: number, text: string, headers?: Record<string, string>];
  /** The readable line, and of the access log the resource and API Gateway's own response. */
  logged: [line: string, resourcePath: string, responseType: string];
  /** What is printed besides. */
  failure?: RegExp;
}

const ofList = '/v1/inventory';
const ofUpdate = '/v1/inventory/{petId}';

const keys: Row[] = [
  {
    what: 'two keys, of which nobody knows which one AWS would take',
    request: { path: inventory, headers: { Authorization: [withKey.Authorization, 'Bearer x'] } },
    response: [401, unauthorized, { 'www-authenticate': 'Bearer', ...own('Unauthorized') }],
    logged: ['GET /staging/v1/inventory 401 unauthorized', ofList, 'UNAUTHORIZED'],
  },
  {
    what: 'a key that the authorizer denies',
    request: { path: inventory, headers: withKey },
    handlers: { Authorizer: () => decision('Deny') },
    response: [401, unauthorized, { 'www-authenticate': 'Bearer', ...own('AccessDenied') }],
    logged: ['GET /staging/v1/inventory 401 unauthorized', ofList, 'ACCESS_DENIED'],
  },
  {
    what: 'a key while the authorizer fails',
    request: update,
    handlers: { Authorizer: () => Promise.reject(new Error('no table')) },
    response: [500, notChecked, own('AuthorizerConfiguration')],
    logged: [
      'PATCH /staging/v1/inventory/1 500 internal_error',
      ofUpdate,
      'AUTHORIZER_CONFIGURATION_ERROR',
    ],
  },
  {
    what: 'a key whose authorizer returns no policy',
    request: update,
    handlers: { Authorizer: () => ({ principalId: 'no policy' }) },
    response: [502, badGateway, own('InternalServerError')],
    logged: ['PATCH /staging/v1/inventory/1 502 bad_gateway', ofUpdate, 'DEFAULT_5XX'],
    failure: /^TypeError: .*\n +at /,
  },
];

const results: Row[] = [
  {
    what: 'an update whose target has a scheme and a host',
    request: { ...update, path: `http://a.example${inventory}/1?x` },
    response: [200, '{"petId":1}', { etag: '"7-sold"' }],
    logged: ['PATCH /staging/v1/inventory/1 200 key b5f1', ofUpdate, '-'],
  },
  {
    what: 'an error of a function, which is logged with its code',
    request: update,
    handlers: { UpdateInventory: () => ({ statusCode: 404, body: '{"code":"pet_not_found"}' }) },
    response: [404, '{"code":"pet_not_found"}'],
    logged: ['PATCH /staging/v1/inventory/1 404 pet_not_found key b5f1', ofUpdate, '-'],
  },
  {
    what: 'an error of a function without a code',
    request: update,
    handlers: { UpdateInventory: () => ({ statusCode: 404, body: 'null' }) },
    response: [404, 'null'],
    logged: ['PATCH /staging/v1/inventory/1 404 key b5f1', ofUpdate, '-'],
  },
  {
    what: 'a function that fails',
    request: update,
    handlers: { UpdateInventory: () => Promise.reject(new Error('a secret')) },
    response: [502, badGateway, own('InternalServerError')],
    logged: ['PATCH /staging/v1/inventory/1 502 bad_gateway key b5f1', ofUpdate, 'DEFAULT_5XX'],
  },
  {
    what: 'a function that returns a header with a line feed',
    request: update,
    handlers: { UpdateInventory: () => ({ statusCode: 200, headers: { 'X-One': 'a\nb' } }) },
    response: [502, badGateway, own('InternalServerError')],
    logged: ['PATCH /staging/v1/inventory/1 502 bad_gateway key b5f1', ofUpdate, 'DEFAULT_5XX'],
    failure: /^TypeError: Invalid character in header content \["X-One"\]/,
  },
  {
    what: 'a function that returns a text, and so no status',
    request: update,
    handlers: { UpdateInventory: () => 'text' },
    response: [502, badGateway, own('InternalServerError')],
    logged: ['PATCH /staging/v1/inventory/1 502 bad_gateway key b5f1', ofUpdate, 'DEFAULT_5XX'],
    failure: /^RangeError: Invalid status code: undefined/,
  },
  {
    what: 'a list with a status that HTTP does not have',
    request: { path: inventory, headers: withKey },
    handlers: {
      ListInventory: () => Readable.from([Buffer.from(`{"statusCode":9}${metadataEnd}[]`)]),
    },
    response: [502, badGateway, own('InternalServerError')],
    logged: ['GET /staging/v1/inventory 502 bad_gateway key b5f1', ofList, 'DEFAULT_5XX'],
    failure: /^RangeError: Invalid status code: 9/,
  },
  {
    what: 'a function that returns a body that is not text',
    request: update,
    handlers: { UpdateInventory: () => ({ ...updated(), body: { petId: 1 } }) },
    response: [502, badGateway, own('InternalServerError')],
    logged: ['PATCH /staging/v1/inventory/1 502 bad_gateway key b5f1', ofUpdate, 'DEFAULT_5XX'],
    failure: /^TypeError: The "chunk" argument must be of type string/,
  },
  {
    what: 'a body of 10 MB',
    request: { ...update, body: Buffer.alloc(10_485_760, 'x') },
    handlers: { UpdateInventory: ({ body }) => ({ statusCode: 200, body: `${body.length}` }) },
    response: [200, '10485760'],
    logged: ['PATCH /staging/v1/inventory/1 200 key b5f1', ofUpdate, '-'],
  },
  {
    what: 'a body of more than 10 MB',
    request: { ...update, body: Buffer.alloc(10_485_761) },
    response: [
      413,
      error('request_too_large', 'The request is too large.', 413),
      own('RequestEntityTooLarge'),
    ],
    logged: [
      'PATCH /staging/v1/inventory/1 413 request_too_large key b5f1',
      ofUpdate,
      'REQUEST_TOO_LARGE',
    ],
  },
];

const others: Row[] = [
  {
    what: 'a path without an operation',
    request: { path: `${inventory}/1/2` },
    response: [404, pathNotFound],
    logged: ['GET /staging/v1/inventory/1/2 404 path_not_found', '/{proxy+}', '-'],
  },
  {
    what: 'another method, with a content type that has a parameter',
    request: { method: 'PUT', path: inventory, headers: { 'Content-Type': 'Text/Plain; x=y' } },
    response: [405, methodNotAllowed, { allow: 'GET' }],
    logged: ['PUT /staging/v1/inventory 405 method_not_allowed', ofList, '-'],
  },
  {
    what: 'another method with a content type for which no mock has a template',
    request: { method: 'PUT', path: inventory, headers: { 'Content-Type': 'constructor' } },
    response: [404, pathNotFound, own('BadRequest')],
    logged: ['PUT /staging/v1/inventory 404 path_not_found', ofList, 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    what: 'a path outside the stage',
    request: { path: '/live/v1/inventory' },
    response: [403, '{"message":"Forbidden"}', own('Forbidden')],
    logged: [
      'GET /live/v1/inventory 403 (outside the stage, whose paths begin with /staging/)',
      '-',
      'FORBIDDEN',
    ],
  },
];

test.each([...keys, ...results, ...others])(
  '$what gets its response, and is logged',
  async (row) => {
    const [status, text, headers = {}] = row.response;
    const [line, resourcePath, responseType] = row.logged;
    const { access, ...exchanged } = await exchange(row.request, row.handlers);
    const common = {
      'x-amzn-requestid': requestId,
      'x-amz-apigw-id': expect.stringMatching(/^[\w+/]{15}=$/),
      'content-type': 'application/json',
      'content-length': String(text.length),
    };
    expect(exchanged).toStrictEqual({ status, headers: { ...common, ...headers }, text, line });
    expect([access.resourcePath, access.responseType]).toStrictEqual([resourcePath, responseType]);
    const failures = row.failure ? [[expect.stringMatching(row.failure)]] : [];
    expect(printed.mock.calls).toStrictEqual(failures);
  },
);

test('a request beyond the rate of its method is a 429, and its key is not looked up', async () => {
  // While the clock stands still, no request is added to the 20 that a list allows at once.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const tokens: unknown[] = [];
  const Authorizer = ({ authorizationToken }: { authorizationToken: string }) => {
    tokens.push(authorizationToken);
    return decision('Deny');
  };
  const url = await serveApi(apiWith({ Authorizer }));
  const list = (headers: Message['headers']) => sendRaw(url, { path: inventory, headers });
  // They have no key, for which no authorizer is asked.
  const burst = Array.from({ length: 20 }, () => list({}));
  expect(new Set((await Promise.all(burst)).map(({ status }) => status))).toStrictEqual(
    new Set([401]),
  );
  const { status, headers, text } = await list(withKey);
  expect({ status, retryAfter: headers['retry-after'], text, tokens }).toStrictEqual({
    status: 429,
    retryAfter: '1',
    text: error('too_many_requests', 'Too many requests. Try again later.', 429),
    tokens: [],
  });
});

test('the access log has what the local run knows, and a hyphen for the rest', async () => {
  const headers = { 'User-Agent': 'jest', ...withKey };
  const { access, headers: received } = await exchange({
    ...update,
    path: `${inventory}/1?a=b`,
    headers,
  });
  expect(access).toStrictEqual({
    time: expect.stringMatching(/^\d{13}$/),
    requestId,
    extendedRequestId: received['x-amz-apigw-id'],
    ip: '127.0.0.1',
    userAgent: 'jest',
    method: 'PATCH',
    path: '/staging/v1/inventory/1',
    resourcePath: '/v1/inventory/{petId}',
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

// A client's UUID stays, as in the tests above.
test.each([
  { what: 'none', given: [], id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
  { what: 'more than a UUID', given: `0${requestId}`, id: /^UUID_REPLACED_INVALID_REQUEST_ID$/ },
  { what: 'a longer UUID', given: `${requestId}0`, id: /^UUID_REPLACED_INVALID_REQUEST_ID$/ },
])('a request id is chosen for a client that gives $what', async (row) => {
  const headers = { 'x-amzn-RequestId': row.given };
  const { headers: received } = await exchange({ path: '/staging', headers });
  expect(received['x-amzn-requestid']).toMatch(row.id);
});

// After Node's five seconds, a busy run would cut off the next request, which it has not read yet.
test('a connection may be idle as long as its client likes', () => {
  expect(clientServer(() => {}).keepAliveTimeout).toBe(0);
});
