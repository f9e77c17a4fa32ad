import { describe, expect, test } from '@jest/globals';
import type { AccessRecord } from '../../../local/gateway/access-log.ts';
import {
  gatewayResponse,
  oneResource,
  proxyMethod,
  resource,
  returning,
  serveFixture,
  servePets,
} from '../../support/fixture-gateway.ts';
import { sendRaw } from '../../support/http-client.ts';

const echo = returning('{ statusCode: 200, body: JSON.stringify(event) }');
const root = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };

describe('routes', () => {
  test('a literal comes before a parameter, and that before a greedy one; a trailing slash changes nothing', async () => {
    const url = await serveFixture(
      returning('{ statusCode: 200, body: JSON.stringify([event.resource, event.pathParameters]) }'),
      {
        Proxy: resource('{proxy+}'),
        Pets: resource('pets'),
        Pet: resource('{petId}', { Ref: 'Pets' }),
        Mine: resource('mine', { Ref: 'Pets' }),
        A: proxyMethod({ Ref: 'Proxy' }, 'ANY'),
        B: proxyMethod({ Ref: 'Pets' }, 'GET'),
        C: proxyMethod({ Ref: 'Pet' }, 'GET'),
        D: proxyMethod({ Ref: 'Mine' }, 'GET'),
      },
    );
    const routeOf = async (path: string) => (await sendRaw(url, { path })).body;

    expect(await routeOf('/pets')).toEqual(['/pets', null]);
    expect(await routeOf('/pets/')).toEqual(['/pets', null]);
    expect(await routeOf('/pets/mine')).toEqual(['/pets/mine', null]);
    expect(await routeOf('/pets/%31?a=b')).toEqual(['/pets/{petId}', { petId: '%31' }]);
    expect(await routeOf('/pets/1/2')).toEqual(['/{proxy+}', { proxy: 'pets/1/2' }]);
  });

  test('a method that the best resource lacks is not looked for elsewhere', async () => {
    const url = await serveFixture(echo, {
      Proxy: resource('{proxy+}'),
      Pets: resource('pets'),
      A: proxyMethod({ Ref: 'Proxy' }, 'ANY'),
      B: proxyMethod({ Ref: 'Pets' }, 'GET'),
    });
    expect(await sendRaw(url, { method: 'DELETE', path: '/pets' })).toMatchObject({
      status: 403,
      headers: { 'x-amzn-errortype': 'MissingAuthenticationTokenException' },
      body: { message: 'Missing Authentication Token' },
    });
    expect((await sendRaw(url, { method: 'HEAD', path: '/pets' })).status).toBe(403);
  });

  test('without a route, an Authorization header is taken for a signature; another stage is forbidden', async () => {
    const customised = gatewayResponse('DEFAULT_4XX', {
      StatusCode: '404',
      ResponseTemplates: { 'application/json': '{"custom":true}' },
    });
    const url = await servePets('{ statusCode: 200 }', { Customised: customised });

    expect(await sendRaw(url, { path: '/dogs' })).toMatchObject({ status: 404, body: { custom: true } });
    expect(await sendRaw(url, { path: '/dogs', headers: { Authorization: 'Bearer x' } })).toMatchObject({
      status: 403,
      body: { message: 'Invalid key=value pair (missing equal-sign) in Authorization header' },
    });
    expect(await sendRaw(new URL(url).origin, { path: '/live/pets' })).toMatchObject({
      status: 403,
      body: { message: 'Forbidden' },
    });
  });
});

describe('gateway responses', () => {
  test('are plain substitution, with status and headers of their own', async () => {
    const url = await serveFixture(echo, {
      M: proxyMethod(root, 'GET'),
      NotFound: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', {
        StatusCode: '404',
        ResponseParameters: { 'gatewayresponse.header.X-Reason': "'none'" },
        ResponseTemplates: {
          'application/json':
            '{"m":$context.error.messageString,"t":"$context.error.responseType","r":"$context.requestId","p":"$context.error.message"}',
        },
      }),
    });
    const response = await sendRaw(url, { path: '/nothing' });
    expect(response).toMatchObject({
      status: 404,
      headers: {
        'content-type': 'application/json',
        'x-reason': 'none',
        'x-amzn-errortype': 'MissingAuthenticationTokenException',
      },
      body: {
        m: 'Missing Authentication Token',
        t: 'MISSING_AUTHENTICATION_TOKEN',
        r: response.headers['x-amzn-requestid'],
        p: 'Missing Authentication Token',
      },
    });
  });

  test('that are not customised fall back to DEFAULT_4XX and DEFAULT_5XX, which keep the status unless they set one', async () => {
    const template = { ResponseTemplates: { 'application/json': '{"custom":"$context.error.responseType"}' } };
    const url = await servePets('null', {
      A: gatewayResponse('DEFAULT_4XX', template),
      B: gatewayResponse('DEFAULT_5XX', { ...template, StatusCode: '500' }),
    });
    expect(await sendRaw(url, { path: '/' })).toMatchObject({
      status: 403,
      body: { custom: 'MISSING_AUTHENTICATION_TOKEN' },
    });
    expect(await sendRaw(url, { path: '/pets' })).toMatchObject({ status: 500, body: { custom: 'DEFAULT_5XX' } });
  });
});

describe('a request', () => {
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  test('has an id that its client may choose, and one that it may not', async () => {
    const url = await servePets('{ statusCode: 200, body: JSON.stringify(event.requestContext) }');
    const idsFor = async (headers: Record<string, string>) => {
      const response = await sendRaw(url, { path: '/pets', headers });
      const { requestId, extendedRequestId } = response.body as Record<string, string>;
      expect(response.headers).toMatchObject({ 'x-amzn-requestid': requestId, 'x-amz-apigw-id': extendedRequestId });
      expect(extendedRequestId).toMatch(/^[\w+/]{15}=$/);
      return [requestId, extendedRequestId];
    };
    const chosen = '01234567-89ab-cdef-0123-456789abcdef';
    const [[own, first], [, second], [given], [replaced]] = [
      await idsFor({}),
      await idsFor({}),
      await idsFor({ 'x-amzn-RequestId': chosen, 'x-amz-apigw-id': 'mine' }),
      await idsFor({ 'x-amzn-RequestId': 'mine' }),
    ];
    expect(own).toMatch(uuid);
    expect(first).not.toBe(second);
    expect([given, replaced]).toEqual([chosen, 'UUID_REPLACED_INVALID_REQUEST_ID']);
  });

  test('is logged with what is known of it when its response has ended', async () => {
    const records: AccessRecord[] = [];
    const before = Date.now();
    const url = await serveFixture(echo, oneResource, {}, (record) => records.push(record));
    const found = await sendRaw(url, { path: '/pets?a=b', headers: { 'User-Agent': 'jest' } });
    const unknown = await sendRaw(url, { method: 'POST', path: '/none' });
    const idsOf = ({ headers }: typeof found) => ({
      requestId: headers['x-amzn-requestid'],
      extendedRequestId: headers['x-amz-apigw-id'],
    });
    const common = {
      'identity.sourceIp': '127.0.0.1',
      'authorizer.keyId': undefined,
      requestTimeEpoch: expect.any(Number),
      responseLatency: expect.any(Number),
    };
    expect(records).toEqual([
      {
        ...common,
        ...idsOf(found),
        httpMethod: 'GET',
        path: '/test/pets',
        resourcePath: '/pets',
        status: 200,
        'identity.userAgent': 'jest',
        'error.responseType': undefined,
      },
      {
        ...common,
        ...idsOf(unknown),
        httpMethod: 'POST',
        path: '/test/none',
        resourcePath: undefined,
        status: 403,
        'identity.userAgent': undefined,
        'error.responseType': 'MISSING_AUTHENTICATION_TOKEN',
      },
    ]);
    const { requestTimeEpoch, responseLatency } = records[0] ?? {};
    expect(requestTimeEpoch).toBeGreaterThanOrEqual(before);
    expect(Number(requestTimeEpoch) + Number(responseLatency)).toBeLessThanOrEqual(Date.now() + 1);
  });
});
