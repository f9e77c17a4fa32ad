import { expect, test } from '@jest/globals';
import { type MockProperties, mock } from '../../../../local/gateway/integrations/mock.ts';
import { serveRoute } from '../../../support/fixture-gateway.ts';
import { sendRaw } from '../../../support/http-client.ts';

const fixed = { StatusCode: '404', ResponseTemplates: { 'application/json': '{"mock":true}' } };
const properties: MockProperties = {
  RequestTemplates: { 'application/json': '{"statusCode": 404}' },
  IntegrationResponses: [fixed],
};
const declared = [{ StatusCode: '404' }];

const post = async (integration: ReturnType<typeof mock>, contentType = '', body = '') => {
  const headers = { 'Content-Type': contentType };
  return sendRaw(await serveRoute(integration), { method: 'POST', path: '/pets', headers, body });
};

const mocked = { status: 404, headers: { 'content-type': 'application/json' }, body: { mock: true } };
const unsupported = { status: 415, body: 'UNSUPPORTED_MEDIA_TYPE' };
const misconfigured = { status: 500, body: 'API_CONFIGURATION_ERROR' };
const status = '{"statusCode": 404}';

test.each<[string, string, MockProperties, object]>([
  ['', 'any', {}, mocked],
  ['Application/JSON; charset=utf-8', 'any', {}, mocked],
  ['text/plain', status, {}, mocked],
  ['text/plain', 'hello', {}, misconfigured],
  ['text/plain', status, { PassthroughBehavior: 'NEVER' }, unsupported],
  ['text/plain', status, { PassthroughBehavior: 'WHEN_NO_TEMPLATES' }, unsupported],
  ['text/plain', status, { PassthroughBehavior: 'WHEN_NO_TEMPLATES', RequestTemplates: {} }, mocked],
])('a mock takes %j with %j by %j', async (contentType, body, more, response) => {
  expect(await post(mock({ ...properties, ...more }, declared), contentType, body)).toMatchObject(response);
});

test('a mock sets the headers that its method response declares, and no others', async () => {
  const ResponseParameters = { 'method.response.header.Allow': "'GET'" };
  const more = { ...properties, IntegrationResponses: [{ StatusCode: '404', ResponseParameters }] };
  const allowing = [{ StatusCode: '404', ResponseParameters: { 'method.response.header.Allow': true } }];
  expect(await post(mock(more, allowing))).toMatchObject({ status: 404, headers: { allow: 'GET' }, text: '' });
  expect(() => mock(more, declared)).toThrow('which its method response does not declare');
  expect(await post(mock(properties, []))).toMatchObject(misconfigured);
});

test.each<MockProperties>([
  { RequestTemplates: { 'application/json': '$input.body' } },
  { IntegrationResponses: [{ ...fixed, ResponseTemplates: { 'application/json': '#set($a = 1)' } }] },
  { IntegrationResponses: [{ ...fixed, SelectionPattern: '4..' }] },
  { IntegrationResponses: [fixed, fixed] },
])('a mock of more than fixed text is an error at the start: %j', (more) => {
  expect(() => mock({ ...properties, ...more }, declared)).toThrow('fixed text');
});
