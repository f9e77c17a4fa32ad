import { describe, expect, test } from '@jest/globals';
import {
  internalServerError,
  oneResource,
  proxyMethod,
  resource,
  returning,
  serveFixture,
  servePets,
} from '../../../support/fixture-gateway.ts';
import { sendRaw } from '../../../support/http-client.ts';

describe('the event of a proxy integration', () => {
  test('has headers in their spelling, values decoded or raw as API Gateway leaves them', async () => {
    const url = await serveFixture(returning('{ statusCode: 200, body: JSON.stringify(event) }'), {
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
    const response = await sendRaw(url, { path: '/pets' });
    expect(response).toMatchObject({
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
    expect(response.headers).not.toHaveProperty('www-authenticate');
    expect(response.headers['x-amzn-requestid']).toMatch(/^[0-9a-f-]{36}$/);
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

  test('may have just under 6 MB', async () => {
    const url = await servePets('{ statusCode: 200, body: JSON.stringify("x".repeat(6291000)) }');
    expect((await sendRaw(url, { path: '/pets' })).text).toHaveLength(6291002);
  });

  test('a handler with a callback fails at init', async () => {
    const code = 'exports.handler = (event, context, callback) => callback(null, { statusCode: 200 });';
    const url = await serveFixture({ Handler: { code } }, oneResource);
    expect(await sendRaw(url, { path: '/pets' })).toMatchObject(internalServerError);
  });
});
