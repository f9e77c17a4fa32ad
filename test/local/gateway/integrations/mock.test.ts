import { describe, expect, test } from '@jest/globals';
import { proxyMethod, resource, serveFixture } from '../../../support/fixture-gateway.ts';
import { sendRaw } from '../../../support/http-client.ts';

const Handler = { code: 'exports.handler = async () => ({ statusCode: 200 });' };

const serveMock = (integration: object, methodResponse: object = {}) =>
  serveFixture(
    { Handler },
    {
      Pets: resource('pets'),
      M: proxyMethod({ Ref: 'Pets' }, 'ANY', {
        Integration: {
          Type: 'MOCK',
          IntegrationResponses: [{ StatusCode: '404', ResponseTemplates: { 'application/json': '{"mock":true}' } }],
          ...integration,
        },
        MethodResponses: [{ StatusCode: '404', ...methodResponse }],
      }),
    },
  );
const post = (url: string, contentType: string, body: string) =>
  sendRaw(url, { method: 'POST', path: '/pets', headers: { 'Content-Type': contentType }, body });

const RequestTemplates = { 'application/json': '{"statusCode": 404}' };
const mocked = { status: 404, headers: { 'content-type': 'application/json' }, body: { mock: true } };

describe('a mock integration', () => {
  test('takes the template of the content type, JSON without one', async () => {
    const url = await serveMock({ RequestTemplates });
    expect(await sendRaw(url, { path: '/pets' })).toMatchObject(mocked);
    expect(await post(url, 'Application/JSON; charset=utf-8', 'whatever')).toMatchObject(mocked);
  });

  test('reads the body itself where no template matches, and fails when that has no status', async () => {
    const url = await serveMock({ RequestTemplates });
    expect(await post(url, 'text/plain', '{"statusCode": 404}')).toMatchObject(mocked);
    expect(await post(url, 'text/plain', 'hello')).toMatchObject({
      status: 500,
      body: { message: 'Internal server error' },
    });
  });

  test.each(['NEVER', 'WHEN_NO_TEMPLATES'])('rejects other content types when it passes them %s', async (behavior) => {
    const url = await serveMock({ RequestTemplates, PassthroughBehavior: behavior });
    expect(await post(url, 'text/plain', '{"statusCode": 404}')).toMatchObject({
      status: 415,
      body: { message: 'Unsupported Media Type' },
    });
  });

  test('sets the headers that its method response declares, and no others', async () => {
    const ResponseParameters = { 'method.response.header.Allow': "'GET'" };
    const integration = { RequestTemplates, IntegrationResponses: [{ StatusCode: '404', ResponseParameters }] };
    const url = await serveMock(integration, { ResponseParameters: { 'method.response.header.Allow': true } });
    expect(await sendRaw(url, { path: '/pets' })).toMatchObject({ status: 404, headers: { allow: 'GET' }, text: '' });

    await expect(serveMock(integration)).rejects.toThrow('which its method response does not declare');
  });

  test('with a template that computes is rejected at the start', async () => {
    await expect(serveMock({ RequestTemplates: { 'application/json': '$input.body' } })).rejects.toThrow('fixed text');
  });
});
