import { expect, test } from '@jest/globals';
import {
  type MethodResponse,
  type MockProperties,
  mock,
} from '../../../../local/gateway/integrations/mock.ts';
import type { AccessRecord } from '../../../../local/log/access-log.ts';
import { responseOf } from '../../../support/http/fixture-gateway.ts';

const notFound = '{"code":"path_not_found"}';
const fixed = { StatusCode: '404', ResponseTemplates: { 'application/json': notFound } };
const properties: MockProperties = {
  PassthroughBehavior: 'NEVER',
  RequestTemplates: { 'application/json': '{"statusCode": 404}' },
  IntegrationResponses: [fixed],
};
const declared: MethodResponse[] = [{ StatusCode: '404' }];

test.each(['', 'application/json', 'Application/JSON; charset=utf-8'])(
  'a mock responds to a request with the content type %j',
  async (contentType) => {
    const message = { method: 'POST', headers: { 'Content-Type': contentType }, body: 'any' };
    expect(await responseOf(mock(properties, declared), message)).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json' },
      text: notFound,
    });
  },
);

test('a mock responds to a request without a content type', async () => {
  expect(await responseOf(mock(properties, declared))).toMatchObject({ status: 404 });
});

test.each(['text/plain', 'constructor'])(
  'a mock rejects the content type %j, for which it has no template',
  async (contentType) => {
    const message = { method: 'POST', headers: { 'Content-Type': contentType }, body: 'any' };
    expect(await responseOf(mock(properties, declared), message)).toMatchObject({
      status: 415,
      body: 'UNSUPPORTED_MEDIA_TYPE',
    });
  },
);

test("a mock's error is logged with its code", async () => {
  const records: AccessRecord[] = [];
  await responseOf(mock(properties, declared), {}, { log: (record) => records.push(record) });
  expect(records).toMatchObject([{ status: 404, errorCode: 'path_not_found' }]);
});

const allow = 'method.response.header.Allow';
const allowing = {
  ...properties,
  IntegrationResponses: [{ StatusCode: '404', ResponseParameters: { [allow]: "'GET'" } }],
};

test('a mock sets the headers that its method response declares', async () => {
  const responses = [{ StatusCode: '404', ResponseParameters: { [allow]: true } }];
  expect(await responseOf(mock(allowing, responses))).toMatchObject({
    status: 404,
    headers: { allow: 'GET' },
    text: '',
  });
});

test('a mock is rejected at the start if it sets another header', () => {
  expect(() => mock(allowing, declared)).toThrow('which its method response does not declare');
});

test.each([[[]], [[{ StatusCode: '405' }]]])(
  'a mock is rejected at the start if its method does not declare its response, but %j',
  (responses) => {
    expect(() => mock(properties, responses)).toThrow('that its method does not declare');
  },
);

const withTemplate = (template: string): MockProperties => ({
  RequestTemplates: { 'application/json': template },
});
const withBody = (body: string): MockProperties => ({
  IntegrationResponses: [{ ...fixed, ResponseTemplates: { 'application/json': body } }],
});

test.each<{ what: string; more: MockProperties }>([
  { what: 'whose status depends on the request', more: withTemplate('$input.body') },
  { what: 'whose request template has more', more: withTemplate('{"statusCode": 404} #end') },
  { what: 'whose request template chooses no status', more: withTemplate('hello') },
  { what: 'with a directive in its body', more: withBody('#set(a = 1)') },
  { what: 'with a variable in its body', more: withBody('$context.requestId') },
  { what: 'with two responses', more: { IntegrationResponses: [fixed, fixed] } },
  { what: 'without a response', more: { IntegrationResponses: [] } },
  { what: 'that passes requests on', more: { PassthroughBehavior: 'WHEN_NO_MATCH' } },
])('a mock is rejected at the start $what', ({ more }) => {
  expect(() => mock({ ...properties, ...more }, declared)).toThrow('one response of fixed text');
});
