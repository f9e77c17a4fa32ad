import { expect, test } from '@jest/globals';
import {
  type GatewayResponse,
  GatewayResponseError,
  type GatewayResponseType,
} from '../../../../local/gateway/responses/gateway-response.ts';
import { responseOf } from '../../../support/http/fixture-gateway.ts';

/** Returns what a client gets for a type of response in an API that customizes some types. */
const responseTo = (type: GatewayResponseType, ...customised: GatewayResponse[]) => {
  const gatewayResponses = new Map(customised.map((response) => [response.ResponseType, response]));
  return responseOf(() => Promise.reject(new GatewayResponseError(type)), {}, { gatewayResponses });
};

const saying = (text: string) => ({
  ResponseTemplates: { 'application/json': JSON.stringify(text) },
});
const fallbacks = [
  { ResponseType: 'DEFAULT_4XX', ...saying('4XX') },
  { ResponseType: 'DEFAULT_5XX', StatusCode: '599', ...saying('5XX') },
];

test.each<[GatewayResponseType, object, object]>([
  [
    'UNAUTHORIZED',
    { status: 401, body: { message: 'Unauthorized' } },
    { status: 401, body: '4XX' },
  ],
  [
    'AUTHORIZER_CONFIGURATION_ERROR',
    { status: 500, body: { message: null } },
    { status: 599, body: '5XX' },
  ],
])('%s takes the customization of its class, 4XX or 5XX', async (type, usual, custom) => {
  expect(await responseTo(type)).toMatchObject(usual);
  expect(await responseTo(type, ...fallbacks)).toMatchObject(custom);
});

test('a gateway response may have a status and headers of its own, and a template with plain substitution', async () => {
  const template =
    '["$context.requestId",$context.error.messageString,"$context.error.message","$context.stage"]';
  const response = await responseTo('THROTTLED', ...fallbacks, {
    ResponseType: 'THROTTLED',
    StatusCode: '418',
    ResponseParameters: { 'gatewayresponse.header.X-Reason': "'none'" },
    ResponseTemplates: { 'application/json': template },
  });
  const { 'x-amzn-requestid': requestId } = response.headers;
  expect(response).toMatchObject({
    status: 418,
    headers: { 'x-reason': 'none', 'x-amzn-errortype': 'TooManyRequestsException' },
    body: [requestId, 'Too Many Requests', 'Too Many Requests', ''],
  });
});
