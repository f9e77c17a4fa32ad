import { describe, expect, test } from '@jest/globals';
import {
  type GatewayResponse,
  GatewayResponseError,
  type GatewayResponseType,
} from '../../../../local/gateway/responses/gateway-response.ts';
import { serveRoute } from '../../../support/fixture-gateway.ts';
import { sendRaw } from '../../../support/http-client.ts';

/** What a client gets for a type of response in an API that customises some. */
const responseTo = async (type: GatewayResponseType, ...customised: GatewayResponse[]) => {
  const gatewayResponses = new Map(customised.map((response) => [response.ResponseType, response]));
  const url = await serveRoute(() => Promise.reject(new GatewayResponseError(type)), { gatewayResponses });
  return sendRaw(url, { path: '/pets' });
};

const saying = (text: string) => ({ ResponseTemplates: { 'application/json': JSON.stringify(text) } });
const fallbacks = [
  { ResponseType: 'DEFAULT_4XX', ...saying('4XX') },
  { ResponseType: 'DEFAULT_5XX', StatusCode: '599', ...saying('5XX') },
];

describe('a gateway response', () => {
  test.each<[GatewayResponseType, number, string | null]>([
    ['UNAUTHORIZED', 401, 'Unauthorized'],
    ['ACCESS_DENIED', 403, 'User is not authorized to access this resource'],
    ['MISSING_AUTHENTICATION_TOKEN', 403, 'Missing Authentication Token'],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'Unsupported Media Type'],
    ['REQUEST_TOO_LARGE', 413, 'Request Entity Too Large'],
    ['THROTTLED', 429, 'Too Many Requests'],
    ['AUTHORIZER_CONFIGURATION_ERROR', 500, null],
    ['API_CONFIGURATION_ERROR', 500, 'Internal server error'],
    ['INTEGRATION_TIMEOUT', 504, 'Endpoint request timed out'],
    ['DEFAULT_5XX', 502, 'Internal server error'],
  ])('%s is a %i, customised with its class', async (type, status, message) => {
    expect(await responseTo(type)).toMatchObject({ status, body: { message } });
    const custom = status < 500 ? { status, body: '4XX' } : { status: 599, body: '5XX' };
    expect(await responseTo(type, ...fallbacks)).toMatchObject(custom);
  });

  test.each<[GatewayResponseType, number, string]>([
    ['FORBIDDEN', 403, '{"message":"Forbidden"}'],
    ['INCOMPLETE_SIGNATURE', 403, '{"message":"Invalid key=value pair (missing equal-sign) in Authorization header"}'],
    ['CONTENT_TOO_LONG', 413, 'HTTP content length exceeded 10485760 bytes.'],
  ])('%s is a %i that cannot be customised', async (type, status, text) => {
    const headers = { 'content-type': type === 'CONTENT_TOO_LONG' ? 'text/plain' : 'application/json' };
    const customised = [{ ResponseType: type, ...saying('own') }, ...fallbacks];
    expect(await responseTo(type, ...customised)).toMatchObject({ status, headers, text });
  });

  test('may have a status and headers of its own, and a template with plain substitution', async () => {
    const template = '["$context.requestId",$context.error.messageString,"$context.error.message","$context.stage"]';
    const response = await responseTo('THROTTLED', ...fallbacks, {
      ResponseType: 'THROTTLED',
      StatusCode: '418',
      ResponseParameters: { 'gatewayresponse.header.X-Reason': "'none'" },
      ResponseTemplates: { 'application/json': template },
    });
    const { 'x-amzn-requestid': requestId } = response.headers;
    expect(response).toMatchObject({
      status: 418,
      headers: {
        'content-type': 'application/json',
        'x-reason': 'none',
        'x-amzn-errortype': 'TooManyRequestsException',
      },
      body: [requestId, 'Too Many Requests', 'Too Many Requests', ''],
    });
  });
});
