import { connect } from 'node:net';
import { describe, expect, jest, test } from '@jest/globals';
import type { AccessRecord } from '../../../local/gateway/access-log.ts';
import type {
  GatewayRequest,
  Integration,
} from '../../../local/gateway/integrations/integration.ts';
import { responseOf, serveRoute } from '../../support/http/fixture-gateway.ts';
import { sendRaw } from '../../support/http/http-client.ts';

/** Responds with a part of the request. */
const echo =
  (part: (request: GatewayRequest) => unknown = () => ''): Integration =>
  async (request, response) =>
    void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(part(request)));

describe('a request', () => {
  const unsigned = {
    message: 'Invalid key=value pair (missing equal-sign) in Authorization header',
  };
  test.each([
    ['/test/dogs', {}, 'MissingAuthenticationTokenException', 'MISSING_AUTHENTICATION_TOKEN'],
    ['/test/dogs', { Authorization: 'x' }, 'IncompleteSignatureException', unsigned],
    ['/live/pets', {}, 'ForbiddenException', { message: 'Forbidden' }],
  ])('that no route serves gets a 403: %s with %j', async (path, headers, errorType, body) => {
    const log = jest.fn<(record: AccessRecord) => void>();
    const { origin } = new URL(await serveRoute(echo(), { log }));
    const response = await sendRaw(origin, { path, headers });
    expect(response).toMatchObject({
      status: 403,
      headers: { 'x-amzn-errortype': errorType },
      body,
    });
    expect(log.mock.calls).toMatchObject([[{ httpMethod: 'GET', path, status: 403 }]]);
  });

  test('has to pass its throttle, then its authorizer, which gets the token and the method ARN', async () => {
    const authorize = jest.fn(async () => ({ principalId: 'me', keyId: '7' }));
    const allowsRequest = jest.fn(() => true).mockReturnValueOnce(false);
    const log = jest.fn<(record: AccessRecord) => void>();
    const route = {
      allowsRequest,
      authorize: Object.assign(authorize, { flushCache: () => {} }),
      log,
    };
    const integration = echo(({ authorizer }) => authorizer);
    const url = await serveRoute(integration, route);
    const send = () =>
      sendRaw(url, { method: 'PUT', path: '/pets/?a=b', headers: { Authorization: 'Bearer x' } });
    expect(await send()).toMatchObject({ status: 429, body: 'THROTTLED' });
    expect(authorize).not.toHaveBeenCalled();
    expect(await send()).toMatchObject({ status: 200, body: { principalId: 'me', keyId: '7' } });
    const methodArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test/PUT/pets/';
    expect(authorize.mock.calls).toEqual([['Bearer x', methodArn]]);
    expect(log.mock.calls).toMatchObject([
      [{ 'error.responseType': 'THROTTLED' }],
      [{ 'authorizer.keyId': '7' }],
    ]);
  });

  test('may have a body of at most 10 MB', async () => {
    const url = await serveRoute(echo());
    const post = (bytes: number) =>
      sendRaw(url, { method: 'POST', path: '/pets', body: Buffer.alloc(bytes) });
    expect(await post(10 * 1024 * 1024)).toMatchObject({ status: 200 });
    const text = 'HTTP content length exceeded 10485760 bytes.';
    const headers = { 'content-type': 'text/plain' };
    expect(await post(10 * 1024 * 1024 + 1)).toMatchObject({ status: 413, headers, text });
  });

  test('gets a 502 after an unexpected error, which is printed unless the client has left', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => {});
    const left = Promise.withResolvers<AccessRecord>();
    const failure = new Error('unexpected');
    const url = await serveRoute(() => Promise.reject(failure), { log: left.resolve });
    const leaving = connect(Number(new URL(url).port), '127.0.0.1');
    leaving.write('POST /test/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n', () =>
      leaving.destroy(),
    );
    await left.promise;
    expect(await sendRaw(url, { path: '/pets' })).toMatchObject({
      status: 502,
      body: 'DEFAULT_5XX',
    });
    expect(printed.mock.calls).toEqual([[failure]]);
    printed.mockRestore();
  });

  test('that has arrived is handled even if its client leaves while the authorizer is being asked', async () => {
    const [left, handled] = [
      Promise.withResolvers<AccessRecord>(),
      Promise.withResolvers<string>(),
    ];
    const authorize = Object.assign(() => left.promise.then(() => ({})), { flushCache: () => {} });
    const url = await serveRoute(async ({ body }) => handled.resolve(String(body)), {
      authorize,
      log: left.resolve,
    });
    const client = connect(Number(new URL(url).port), '127.0.0.1');
    client.write('POST /test/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody', () =>
      client.destroy(),
    );
    expect(await left.promise).toMatchObject({ path: '/test/pets', status: undefined });
    expect(await handled.promise).toBe('body');
  });

  const chosen = '01234567-89ab-cdef-0123-456789abcdef';
  test.each([
    [undefined, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    [chosen, new RegExp(`^${chosen}$`)],
    [`${chosen}0`, /^UUID_REPLACED_INVALID_REQUEST_ID$/],
  ])(
    'has an id that its client may choose, and an extended id that it may not: %p',
    async (id, expected) => {
      const ids = echo(({ requestId, extendedRequestId }) => [requestId, extendedRequestId]);
      const message = {
        headers: { 'x-amz-apigw-id': 'mine', ...(id && { 'x-amzn-RequestId': id }) },
      };
      const [{ headers, body }, again] = [
        await responseOf(ids, message),
        await responseOf(ids, message),
      ];
      expect(body).toEqual([headers['x-amzn-requestid'], headers['x-amz-apigw-id']]);
      expect(body).toEqual([
        expect.stringMatching(expected),
        expect.stringMatching(/^[\w+/]{15}=$/),
      ]);
      expect(again.headers['x-amz-apigw-id']).not.toBe(headers['x-amz-apigw-id']);
      expect(again.headers['x-amzn-requestid'] === headers['x-amzn-requestid']).toBe(
        id !== undefined,
      );
    },
  );

  test('is logged with its details when its response has ended', async () => {
    const log = jest.fn<(record: AccessRecord) => void>();
    const before = Date.now();
    const message = { path: '/pets?a=b', headers: { 'User-Agent': 'jest' } };
    const { status, headers } = await responseOf(echo(), message, { log });
    const record = {
      requestId: headers['x-amzn-requestid'],
      extendedRequestId: headers['x-amz-apigw-id'],
      requestTimeEpoch: expect.any(Number),
      responseLatency: expect.any(Number),
      status,
      httpMethod: 'GET',
      path: '/test/pets',
      resourcePath: '/pets',
      'identity.sourceIp': '127.0.0.1',
      'identity.userAgent': 'jest',
    };
    expect(log.mock.calls).toEqual([[record]]);
    const { requestTimeEpoch, responseLatency } = log.mock.calls[0]?.[0] ?? {};
    expect(requestTimeEpoch).toBeGreaterThanOrEqual(before);
    expect(Number(requestTimeEpoch) + Number(responseLatency)).toBeLessThanOrEqual(Date.now() + 1);
  });
});
