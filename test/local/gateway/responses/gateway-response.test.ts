import { describe, expect, test } from '@jest/globals';
import {
  type GatewayResponse,
  GatewayResponseError,
  type GatewayResponseType,
} from '../../../../local/gateway/responses/gateway-response.ts';
import type { AccessRecord } from '../../../../local/log/access-log.ts';
import { responseOf } from '../../../support/http/fixture-gateway.ts';

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
    { type: 'UNSUPPORTED_MEDIA_TYPE', status: 415, message: 'Unsupported Media Type' },
    { type: 'REQUEST_TOO_LARGE', status: 413, message: 'Request Entity Too Large' },
    { type: 'THROTTLED', status: 429, message: 'Too Many Requests' },
    { type: 'AUTHORIZER_CONFIGURATION_ERROR', status: 500, message: null },
    { type: 'API_CONFIGURATION_ERROR', status: 500, message: 'Internal server error' },
    { type: 'INTEGRATION_TIMEOUT', status: 504, message: 'Endpoint request timed out' },
    { type: 'DEFAULT_4XX', status: 400, message: 'Bad Request' },
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
  { type: 'INTEGRATION_TIMEOUT', status: 599, body: '5XX' },
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
