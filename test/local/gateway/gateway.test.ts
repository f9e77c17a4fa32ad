import { connect } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import type { Authorizer } from '../../../local/gateway/authorizer.ts';
import type {
  GatewayRequest,
  Integration,
} from '../../../local/gateway/integrations/integration.ts';
import { GatewayResponseError } from '../../../local/gateway/responses/gateway-response.ts';
import type { AccessRecord } from '../../../local/log/access-log.ts';
import { sendRaw } from '../../../ops/acceptance/suite/raw-request.ts';
import { responseOf, serveRoute } from '../../support/http/fixture-gateway.ts';

const megabyte = 1024 * 1024;

/** Responds with a part of the request. */
const echo =
  (part: (request: GatewayRequest) => unknown = () => ''): Integration =>
  async (request, response) =>
    void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(part(request)));

const authorizerOf = (authorize: Authorizer['authorize']): Authorizer => ({
  authorize,
  flushCache: () => {},
});

/** Returns a function that keeps the records that it is given. */
const recorder = () => {
  const records: AccessRecord[] = [];
  return { records, log: (record: AccessRecord) => void records.push(record) };
};

/** Sends a request at /test/pets, or a part of one, and leaves as soon as it is sent. */
const sendAndLeave = (url: string, headersAndBody: string): void => {
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  client.write(`POST /test/pets HTTP/1.1\r\nHost: localhost\r\n${headersAndBody}`, () =>
    client.destroy(),
  );
};
const wholeBody = 'Content-Length: 4\r\n\r\nbody';
const partOfBody = 'Content-Length: 9\r\n\r\nbody';

describe('a request that no route serves gets a 403', () => {
  test.each([
    {
      request: { path: '/test/dogs' },
      errorType: 'MissingAuthenticationTokenException',
      body: 'MISSING_AUTHENTICATION_TOKEN',
      logged: 'MISSING_AUTHENTICATION_TOKEN',
    },
    {
      request: { path: '/test/dogs', headers: { Authorization: 'x' } },
      errorType: 'IncompleteSignatureException',
      body: {
        message: 'Invalid key=value pair (missing equal-sign) in Authorization header',
      },
      logged: 'INCOMPLETE_SIGNATURE',
    },
    {
      request: { path: '/live/pets' },
      errorType: 'ForbiddenException',
      body: { message: 'Forbidden' },
      logged: 'FORBIDDEN',
    },
    {
      request: { path: '/' },
      errorType: 'ForbiddenException',
      body: { message: 'Forbidden' },
      logged: 'FORBIDDEN',
    },
  ])('$request: $logged', async ({ request, errorType, body, logged }) => {
    const { records, log } = recorder();
    const { origin } = new URL(await serveRoute(echo(), { log }));
    expect(await sendRaw(origin, request)).toMatchObject({
      status: 403,
      headers: { 'x-amzn-errortype': errorType },
      body,
    });
    expect(records).toMatchObject([
      { path: request.path, status: 403, stage: 'test', 'error.responseType': logged },
    ]);
  });
});

test('a request that is throttled gets a 429, and its authorizer is not asked', async () => {
  const authorize = jest.fn<Authorizer['authorize']>();
  const { records, log } = recorder();
  const route = { allowsRequest: () => false, authorizer: authorizerOf(authorize), log };
  expect(await responseOf(echo(), {}, route)).toMatchObject({ status: 429, body: 'THROTTLED' });
  expect(authorize).not.toHaveBeenCalled();
  expect(records).toMatchObject([{ resourcePath: '/pets', 'error.responseType': 'THROTTLED' }]);
});

test('an authorizer gets token and method ARN, and the integration what it returns', async () => {
  const authorize = jest.fn(async () => ({ principalId: 'me', keyId: '7' }));
  const { records, log } = recorder();
  const url = await serveRoute(
    echo(({ authorizer }) => authorizer),
    { authorizer: authorizerOf(authorize), log },
  );
  const headers = { Authorization: 'Bearer x' };
  expect(await sendRaw(url, { method: 'PUT', path: '/pets/?a=b', headers })).toMatchObject({
    status: 200,
    body: { principalId: 'me', keyId: '7' },
  });
  const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test/PUT/pets/';
  expect(authorize.mock.calls).toEqual([['Bearer x', methodArn]]);
  expect(records).toMatchObject([{ 'authorizer.keyId': '7' }]);
});

test.each([
  { what: 'one', values: ['Bearer x'], token: 'Bearer x' },
  { what: 'none', values: [], token: undefined },
  { what: 'two', values: ['Bearer x', 'Bearer y'], token: undefined },
])('the authorizer gets an Authorization header only if it is one: $what', async (row) => {
  const authorize = jest.fn(async () => ({ principalId: 'me' }));
  const authorizer = authorizerOf(authorize);
  await responseOf(echo(), { headers: { Authorization: row.values } }, { authorizer });
  const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test/GET/pets';
  expect(authorize.mock.calls).toEqual([[row.token, methodArn]]);
});

test('an integration gets all that the gateway knows of a request', async () => {
  let given: Omit<GatewayRequest, 'message' | 'record'> | undefined;
  const integrate: Integration = async ({ message, record, ...request }, response) => {
    given = request;
    response.end();
  };
  const message = { method: 'POST', path: '/pets/a%20b?x=1', body: 'ä' };
  const { headers } = await responseOf(integrate, message, { resourcePath: '/pets/{id}' });
  expect(given).toEqual({
    requestId: headers['x-amzn-requestid'],
    extendedRequestId: headers['x-amz-apigw-id'],
    restApiId: 'local',
    accountId: '000000000000',
    resourceId: 'Pets',
    resourcePath: '/pets/{id}',
    stageName: 'test',
    path: '/pets/a%20b',
    pathParameters: { id: 'a%20b' },
    query: new URLSearchParams({ x: '1' }),
    body: Buffer.from('ä'),
    authorizer: undefined,
  });
});

describe('a body', () => {
  const post = async (bytes: number) =>
    responseOf(
      echo(({ body }) => body.length),
      { method: 'POST', body: Buffer.alloc(bytes) },
    );

  test('may have 10 MB', async () => {
    expect(await post(10 * megabyte)).toMatchObject({ status: 200, body: 10485760n });
  });

  test('may not have one byte more', async () => {
    expect(await post(10 * megabyte + 1)).toMatchObject({
      status: 413,
      headers: { 'content-type': 'text/plain' },
      text: 'HTTP content length exceeded 10485760 bytes.',
    });
  });
});

describe('an unexpected error', () => {
  test('is printed, and the client gets a 502', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const response = await responseOf(() => Promise.reject(new Error('unexpected')));
    expect(response).toMatchObject({ status: 502, body: 'DEFAULT_5XX' });
    expect(printed.mock.calls).toEqual([[expect.stringMatching(/^Error: unexpected\n +at /)]]);
    printed.mockRestore();
  });

  test('is not printed if the client has left before its body was complete', async () => {
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    const left = Promise.withResolvers<AccessRecord>();
    const url = await serveRoute(echo(), { log: left.resolve });
    sendAndLeave(url, partOfBody);
    await left.promise;
    // By the time that another request is served, the first one's error has been handled.
    expect((await sendRaw(url, { path: '/pets' })).status).toBe(200);
    expect(printed.mock.calls).toEqual([]);
    printed.mockRestore();
  });
});

describe('a client that leaves while the authorizer is being asked', () => {
  /** Serves a route whose authorizer decides only after the client has left. */
  const serveUntilLeft = async (integrate: Integration, decide = () => ({})) => {
    const left = Promise.withResolvers<AccessRecord>();
    const authorizer = authorizerOf(() => left.promise.then(decide));
    const url = await serveRoute(integrate, { authorizer, log: left.resolve });
    return { url, left: left.promise };
  };

  test('has its request handled if that has arrived', async () => {
    const handled = Promise.withResolvers<string>();
    const { url } = await serveUntilLeft(async ({ body }) => handled.resolve(String(body)));
    sendAndLeave(url, wholeBody);
    expect(await handled.promise).toBe('body');
  });

  test('is logged without a status', async () => {
    const { url, left } = await serveUntilLeft(async () => {});
    sendAndLeave(url, wholeBody);
    expect(await left).toMatchObject({ path: '/test/pets', status: undefined });
  });

  // Jest fails a test in which nobody handles a rejection; `petstore start` would end.
  test('ends nothing if it was in the middle of a body', async () => {
    const deny = () => {
      throw new GatewayResponseError('ACCESS_DENIED');
    };
    const { url, left } = await serveUntilLeft(echo(), deny);
    sendAndLeave(url, partOfBody);
    expect(await left).toMatchObject({ path: '/test/pets', status: undefined });
  });
});

describe('the ids of a request', () => {
  const ids = echo(({ requestId, extendedRequestId }) => [requestId, extendedRequestId]);
  const responseWith = (headers: Record<string, string>) => responseOf(ids, { headers });
  const newUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const newExtendedId = expect.stringMatching(/^[\w+/]{15}=$/);
  const chosen = '01234567-89ab-cdef-0123-456789ABCDEF';

  test('are in the headers of the response', async () => {
    const { headers, body } = await responseWith({});
    expect(body).toEqual([headers['x-amzn-requestid'], headers['x-amz-apigw-id']]);
  });

  test('are new for each request', async () => {
    const { body } = await responseWith({});
    expect(body).toEqual([newUuid, newExtendedId]);
    expect((await responseWith({})).body).not.toEqual(body);
  });

  test('are the one that the client chose, and an extended one that it cannot choose', async () => {
    const headers = { 'x-amzn-RequestId': chosen, 'x-amz-apigw-id': 'mine' };
    expect((await responseWith(headers)).body).toEqual([chosen, newExtendedId]);
  });

  test.each([`${chosen}0`, `0${chosen}`, ''])('do not take %j for a UUID', async (id) => {
    const { body } = await responseWith({ 'x-amzn-RequestId': id });
    expect(body).toEqual(['UUID_REPLACED_INVALID_REQUEST_ID', newExtendedId]);
  });
});
