import { describe, expect, test } from '@jest/globals';
import {
  type MethodResponse,
  type MockProperties,
  mock,
} from '../../../local/gateway/integrations/mock.ts';
import {
  type GatewayResponse,
  GatewayResponseError,
  type GatewayResponseType,
} from '../../../local/gateway/responses/gateway-response.ts';
import type { AccessRecord } from '../../../local/log/access-log.ts';
import { responseOf } from '../../support/http/fixture-gateway.ts';

/** Returns what a client gets for a type of response in an API that customizes some types. */
const responseTo = (type: GatewayResponseType, ...customized: GatewayResponse[]) => {
  const gatewayResponses = new Map(customized.map((response) => [response.ResponseType, response]));
  return responseOf(() => Promise.reject(new GatewayResponseError(type)), {}, { gatewayResponses });
};

const saying = (text: string) => ({
  ResponseTemplates: { 'application/json': JSON.stringify(text) },
});
const fallbacks = [
  { ResponseType: 'DEFAULT_4XX', ...saying('4XX') },
  { ResponseType: 'DEFAULT_5XX', StatusCode: '599', ...saying('5XX') },
];

describe('without a customization, the response is the one of AWS', () => {
  test.each<{ type: GatewayResponseType; status: number; message: string | null }>([
    { type: 'UNAUTHORIZED', status: 401, message: 'Unauthorized' },
    { type: 'AUTHORIZER_CONFIGURATION_ERROR', status: 500, message: null },
    { type: 'INTEGRATION_TIMEOUT', status: 504, message: 'Endpoint request timed out' },
    { type: 'DEFAULT_5XX', status: 502, message: 'Internal server error' },
  ])('$type: $status', async ({ type, status, message }) => {
    expect(await responseTo(type)).toMatchObject({
      status,
      headers: { 'content-type': 'application/json' },
      body: { message },
    });
  });
});

test.each<{ type: GatewayResponseType; status: number; body: string }>([
  { type: 'UNAUTHORIZED', status: 401, body: '4XX' },
  { type: 'AUTHORIZER_CONFIGURATION_ERROR', status: 599, body: '5XX' },
])('$type takes the customization of its class', async ({ type, status, body }) => {
  expect(await responseTo(type, ...fallbacks)).toMatchObject({ status, body });
});

test.each<GatewayResponseType>(['FORBIDDEN', 'INCOMPLETE_SIGNATURE', 'CONTENT_TOO_LONG'])(
  '%s cannot be customized',
  async (type) => {
    const { status, text } = await responseTo(type);
    const customized = { ResponseType: type, StatusCode: '418', ...saying('custom') };
    expect(await responseTo(type, ...fallbacks, customized)).toMatchObject({ status, text });
  },
);

describe('a customized response', () => {
  test('may have a status and headers of its own', async () => {
    const response = await responseTo('THROTTLED', ...fallbacks, {
      ResponseType: 'THROTTLED',
      StatusCode: '418',
      ResponseParameters: { 'gatewayresponse.header.X-Reason': "'none'" },
    });
    expect(response).toMatchObject({
      status: 418,
      headers: { 'x-reason': 'none', 'x-amzn-errortype': 'TooManyRequestsException' },
      body: { message: 'Too Many Requests' },
    });
  });

  test('may have a template, in which variables are replaced as they are', async () => {
    const template =
      '["$context.requestId",$context.error.messageString,"$context.error.message",' +
      '"$context.error.responseType","$context.stage"]';
    const response = await responseTo('THROTTLED', {
      ResponseType: 'THROTTLED',
      ResponseTemplates: { 'application/json': template },
    });
    expect(response).toMatchObject({
      status: 429,
      body: [
        response.headers['x-amzn-requestid'],
        'Too Many Requests',
        'Too Many Requests',
        'THROTTLED',
        '',
      ],
    });
  });
});

test('a gateway response is logged with its type and the code in its body', async () => {
  const records: AccessRecord[] = [];
  const unauthorized = {
    ResponseType: 'UNAUTHORIZED',
    ResponseTemplates: { 'application/json': '{"code":"unauthorized"}' },
  };
  await responseOf(
    () => Promise.reject(new GatewayResponseError('UNAUTHORIZED')),
    {},
    {
      gatewayResponses: new Map([['UNAUTHORIZED', unauthorized]]),
      log: (record) => records.push(record),
    },
  );
  expect(records).toMatchObject([
    { status: 401, 'error.responseType': 'UNAUTHORIZED', errorCode: 'unauthorized' },
  ]);
});

const notFound = '{"code":"path_not_found"}';
const fixed = { StatusCode: '404', ResponseTemplates: { 'application/json': notFound } };
const properties: MockProperties = {
  PassthroughBehavior: 'NEVER',
  RequestTemplates: { 'application/json': '{"statusCode": 404}' },
  IntegrationResponses: [fixed],
};
const declared: MethodResponse[] = [{ StatusCode: '404' }];

test.each([undefined, '', 'application/json', 'Application/JSON; charset=utf-8'])(
  'a mock responds to a request with the content type %j',
  async (contentType) => {
    const headers = contentType === undefined ? {} : { 'Content-Type': contentType };
    const message = { method: 'POST', headers, body: 'any' };
    expect(await responseOf(mock(properties, declared), message)).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json' },
      text: notFound,
    });
  },
);

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
  {
    what: 'whose request template begins with more',
    more: withTemplate('#if {"statusCode": 404}'),
  },
  { what: 'whose request template chooses no status', more: withTemplate('hello') },
  {
    what: 'with a second request template that chooses no status',
    more: { RequestTemplates: { ...properties.RequestTemplates, 'text/plain': 'hello' } },
  },
  { what: 'with a directive in its body', more: withBody('#set(a = 1)') },
  { what: 'with a variable in its body', more: withBody('$context.requestId') },
  { what: 'with two responses', more: { IntegrationResponses: [fixed, fixed] } },
  { what: 'without a response', more: { IntegrationResponses: [] } },
  { what: 'that passes requests on', more: { PassthroughBehavior: 'WHEN_NO_MATCH' } },
])('a mock is rejected at the start $what', ({ more }) => {
  expect(() => mock({ ...properties, ...more }, declared)).toThrow('one response of fixed text');
});
