import { expect, test } from '@jest/globals';
import { type MockProperties, mock } from '../../../../local/gateway/integrations/mock.ts';
import { responseOf } from '../../../support/http/fixture-gateway.ts';

const fixed = { StatusCode: '404', ResponseTemplates: { 'application/json': '{"mock":true}' } };
const properties: MockProperties = {
  PassthroughBehavior: 'NEVER',
  RequestTemplates: { 'application/json': '{"statusCode": 404}' },
  IntegrationResponses: [fixed],
};
const declared = [{ StatusCode: '404' }];

const mocked = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: { mock: true },
};
const unsupported = { status: 415, body: 'UNSUPPORTED_MEDIA_TYPE' };

test.each<[string, object]>([
  ['', mocked],
  ['Application/JSON; charset=utf-8', mocked],
  ['text/plain', unsupported],
  ['constructor', unsupported],
])(
  'a mock accepts only the content types that have a template: %j',
  async (contentType, response) => {
    const message = { method: 'POST', headers: { 'Content-Type': contentType }, body: 'any' };
    expect(await responseOf(mock(properties, declared), message)).toMatchObject(response);
  },
);

test('a mock sets the headers that its method response declares, and no others', async () => {
  const ResponseParameters = { 'method.response.header.Allow': "'GET'" };
  const more = { ...properties, IntegrationResponses: [{ StatusCode: '404', ResponseParameters }] };
  const allowing = [
    { StatusCode: '404', ResponseParameters: { 'method.response.header.Allow': true } },
  ];
  expect(await responseOf(mock(more, allowing))).toMatchObject({
    status: 404,
    headers: { allow: 'GET' },
    text: '',
  });
  expect(() => mock(more, declared)).toThrow('which its method response does not declare');
});

test.each<[MockProperties, object[]?]>([
  [{ RequestTemplates: { 'application/json': '$input.body' } }],
  [{ RequestTemplates: { 'application/json': 'hello' } }],
  [
    {
      IntegrationResponses: [
        { ...fixed, ResponseTemplates: { 'application/json': '#set($a = 1)' } },
      ],
    },
  ],
  [{ IntegrationResponses: [fixed, fixed] }],
  [{ PassthroughBehavior: 'WHEN_NO_MATCH' }],
  [{}, []],
])('a mock of anything else is rejected at the start: %j', (more, responses = declared) => {
  expect(() => mock({ ...properties, ...more }, responses as typeof declared)).toThrow(
    'of fixed text',
  );
});
