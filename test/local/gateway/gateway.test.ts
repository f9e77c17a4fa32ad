import { describe, expect, test } from '@jest/globals';
import { gatewayResponse, proxyMethod, resource, serveFixture } from '../../support/fixture-gateway.ts';
import { sendRaw } from '../../support/http-client.ts';

const answersWith = (result: string) => ({ Handler: { code: `exports.handler = async (event) => (${result});` } });
const echo = answersWith('{ statusCode: 200, body: JSON.stringify(event) }');
const root = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };
const oneResource = { Pets: resource('pets'), Method: proxyMethod({ Ref: 'Pets' }, 'ANY') };

/** Serves one resource, /pets, whose handler answers with a result. */
const servePets = (result: string, more: object = {}) => serveFixture(answersWith(result), { ...oneResource, ...more });

const internalServerError = { status: 502, body: { message: 'Internal server error' } };

describe('routes', () => {
  test('a literal comes before a parameter, and that before a greedy one; a trailing slash changes nothing', async () => {
    const url = await serveFixture(
      answersWith('{ statusCode: 200, body: JSON.stringify([event.resource, event.pathParameters]) }'),
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

describe('the event of a proxy integration', () => {
  test('has headers in their spelling, values decoded or raw as API Gateway leaves them', async () => {
    const url = await serveFixture(echo, {
      Pets: resource('pets'),
      Pet: resource('{id}', { Ref: 'Pets' }),
      M: proxyMethod({ Ref: 'Pet' }, 'ANY'),
    });
    const { body } = await sendRaw(url, {
      method: 'POST',
      path: '/pets/a%20b?x=1%202&x=3&y=',
      headers: { 'X-Custom': ['1', '2'], 'content-TYPE': 'text/plain' },
      body: 'ä',
    });
    expect(body).toMatchObject({
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
      requestContext: { stage: 'test', path: '/test/pets/a%20b', resourcePath: '/pets/{id}', httpMethod: 'POST' },
    });
  });

  test('has null where there is nothing', async () => {
    const url = await servePets('{ statusCode: 200, body: JSON.stringify(event) }');
    expect((await sendRaw(url, { path: '/pets' })).body).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      stageVariables: null,
      body: null,
    });
  });
});

describe('the result of a proxy integration', () => {
  test('may have headers of several values and a base64 body; some headers are renamed', async () => {
    const url = await servePets(`{
      statusCode: '201',
      headers: { 'X-One': 1, 'WWW-Authenticate': 'Basic', Server: 'mine', Date: 'today' },
      multiValueHeaders: { 'X-Two': ['a', 'b'] },
      body: 'e30=',
      isBase64Encoded: true,
    }`);
    const answer = await sendRaw(url, { path: '/pets' });
    expect(answer).toMatchObject({
      status: 201,
      text: '{}',
      headers: {
        'content-type': 'application/json',
        'x-one': '1',
        'x-two': 'a, b',
        'x-amzn-remapped-www-authenticate': 'Basic',
        'x-amzn-remapped-server': 'mine',
        'x-amzn-remapped-date': 'today',
      },
    });
    expect(answer.headers).not.toHaveProperty('www-authenticate');
    expect(answer.headers['x-amzn-requestid']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['a key too many', '{ statusCode: 200, body: "", extra: true }'],
    ['no status', '{ body: "" }'],
    ['a status that is none', '{ statusCode: 42 }'],
    ['a body that is no text', '{ statusCode: 200, body: {} }'],
    ['nothing', 'undefined'],
    ['an array', '[]'],
    ['more than 6 MB', '{ statusCode: 200, body: "x".repeat(6291557) }'],
    ['an error', '(() => { throw new Error("secret"); })()'],
    ['the end of its process', 'process.exit(1)'],
  ])('%s is a 502', async (_what, result) => {
    expect(await sendRaw(await servePets(result), { path: '/pets' })).toMatchObject(internalServerError);
  });

  test('just under 6 MB is answered', async () => {
    const url = await servePets('{ statusCode: 200, body: JSON.stringify("x".repeat(6291000)) }');
    expect((await sendRaw(url, { path: '/pets' })).text).toHaveLength(6291002);
  });

  test('a handler with a callback fails at init', async () => {
    const code = 'exports.handler = (event, context, callback) => callback(null, { statusCode: 200 });';
    const url = await serveFixture({ Handler: { code } }, oneResource);
    expect(await sendRaw(url, { path: '/pets' })).toMatchObject(internalServerError);
  });
});

describe('limits', () => {
  test('a function out of time is a 502; an integration out of time a 504', async () => {
    const never = {
      code: 'exports.handler = () => new Promise(() => setTimeout(() => {}, 60000));',
      timeoutSeconds: 1,
    };
    const integration = (TimeoutInMillis: number) => ({
      Integration: {
        Type: 'AWS_PROXY',
        Uri: (oneResource.Method.Properties as never as { Integration: { Uri: object } }).Integration.Uri,
        TimeoutInMillis,
      },
    });
    const url = await serveFixture(
      { Handler: never },
      {
        Slow: resource('slow'),
        Slower: resource('slower'),
        A: proxyMethod({ Ref: 'Slow' }, 'GET', integration(5_000)),
        B: proxyMethod({ Ref: 'Slower' }, 'GET', integration(200)),
      },
    );
    expect(await sendRaw(url, { path: '/slow' })).toMatchObject(internalServerError);
    expect(await sendRaw(url, { path: '/slower' })).toMatchObject({
      status: 504,
      body: { message: 'Endpoint request timed out' },
    });
  });

  test('a request of more than 10 MB, or more than Lambda takes, is a 413', async () => {
    const url = await servePets('{ statusCode: 200 }');
    const post = (megabytes: number) =>
      sendRaw(url, { method: 'POST', path: '/pets', body: Buffer.alloc(megabytes * 1024 * 1024, 'x') });

    expect(await post(5)).toMatchObject({ status: 200 });
    expect(await post(7)).toMatchObject({ status: 413, body: { message: 'Request Entity Too Large' } });
    expect(await post(11)).toMatchObject({
      status: 413,
      headers: { 'content-type': 'text/plain' },
      body: 'HTTP content length exceeded 10485760 bytes.',
    });
  });

  test('requests beyond the throttling of the stage are a 429', async () => {
    const settings = { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 };
    const url = await serveFixture(answersWith('{ statusCode: 200 }'), oneResource, { MethodSettings: [settings] });
    const statuses = [];
    for (let i = 0; i < 3; i++) {
      statuses.push((await sendRaw(url, { path: '/pets' })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('a function that API Gateway may not invoke from there is a 500', async () => {
    const Handler = { code: 'exports.handler = async () => ({ statusCode: 200 });', permittedSource: 'test/GET/pets' };
    const url = await serveFixture(
      { Handler },
      { Pets: resource('pets'), A: proxyMethod({ Ref: 'Pets' }, 'GET'), B: proxyMethod({ Ref: 'Pets' }, 'POST') },
    );
    expect((await sendRaw(url, { path: '/pets' })).status).toBe(200);
    expect(await sendRaw(url, { method: 'POST', path: '/pets' })).toMatchObject({
      status: 500,
      body: { message: 'Internal server error' },
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
    const answer = await sendRaw(url, { path: '/nothing' });
    expect(answer).toMatchObject({
      status: 404,
      headers: {
        'content-type': 'application/json',
        'x-reason': 'none',
        'x-amzn-errortype': 'MissingAuthenticationTokenException',
      },
      body: {
        m: 'Missing Authentication Token',
        t: 'MISSING_AUTHENTICATION_TOKEN',
        r: answer.headers['x-amzn-requestid'],
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
