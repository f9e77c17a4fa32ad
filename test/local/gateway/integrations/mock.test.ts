import { expect, test } from '@jest/globals';
import { type MockProperties, mock } from '../../../../local/gateway/integrations/mock.ts';
import { responseOf } from '../../../support/fixture-gateway.ts';

const fixed = { StatusCode: '404', ResponseTemplates: { 'application/json': '{"mock":true}' } };
const status = '{"statusCode": 404}';
const properties: MockProperties = {
  RequestTemplates: { 'application/json': status },
  IntegrationResponses: [fixed],
};
const declared = [{ StatusCode: '404' }];

const mocked = { status: 404, headers: { 'content-type': 'application/json' }, body: { mock: true } };
const unsupported = { status: 415, body: 'UNSUPPORTED_MEDIA_TYPE' };
const misconfigured = { status: 500, body: 'API_CONFIGURATION_ERROR' };

test.each<[string, string, MockProperties, object]>([
  ['', 'any', {}, mocked],
  ['Application/JSON; charset=utf-8', 'any', {}, mocked],
  ['text/plain', status, {}, mocked],
  ['text/plain', 'hello', {}, misconfigured],
  ['text/plain', status, { PassthroughBehavior: 'NEVER' }, unsupported],
  ['text/plain', status, { PassthroughBehavior: 'WHEN_NO_TEMPLATES' }, unsupported],
  ['text/plain', status, { PassthroughBehavior: 'WHEN_NO_TEMPLATES', RequestTemplates: {} }, mocked],
])('a mock takes %j with %j by %j', async (contentType, body, more, response) => {
  const message = { method: 'POST', headers: { 'Content-Type': contentType }, body };
  expect(await responseOf(mock({ ...properties, ...more }, declared), message)).toMatchObject(response);
});

test('a mock sets the headers that its method response declares, and no others', async () => {
  const ResponseParameters = { 'method.response.header.Allow': "'GET'" };
  const more = { ...properties, IntegrationResponses: [{ StatusCode: '404', ResponseParameters }] };
  const allowing = [{ StatusCode: '404', ResponseParameters: { 'method.response.header.Allow': true } }];
  expect(await responseOf(mock(more, allowing))).toMatchObject({ status: 404, headers: { allow: 'GET' }, text: '' });
  expect(() => mock(more, declared)).toThrow('which its method response does not declare');
  expect(await responseOf(mock(properties, []))).toMatchObject(misconfigured);
});

test.each<MockProperties>([
  { RequestTemplates: { 'application/json': '$input.body' } },
  { IntegrationResponses: [{ ...fixed, ResponseTemplates: { 'application/json': '#set($a = 1)' } }] },
  { IntegrationResponses: [fixed, fixed] },
])('a mock of more than fixed text is an error at the start: %j', (more) => {
  expect(() => mock({ ...properties, ...more }, declared)).toThrow('fixed text');
});
