import type { Readable } from 'node:stream';
import type { AccessRecord } from '../../local/gateway/access-log.ts';
import { gateway } from '../../local/gateway/gateway.ts';
import type { Integration } from '../../local/gateway/integrations/integration.ts';
import type { GatewayResponse } from '../../local/gateway/responses/gateway-response.ts';
import type { RestApi } from '../../local/gateway/rest-api.ts';
import type { Route } from '../../local/gateway/route.ts';
import type { LambdaFunction } from '../../local/lambda/lambda-function.ts';
import { type Message, sendRaw } from './http-client.ts';
import { serve } from './serve.ts';

/** A function as the gateway sees it, without a process. It throws what Lambda would reject the invocation with. */
// biome-ignore lint/suspicious/noExplicitAny: whatever an event holds
export const functionOf = (handler: (event: any) => unknown): LambdaFunction => ({
  invoke: async (event) => handler(event),
  invokeStreaming: async (event) => handler(event) as Readable,
  close: () => {},
});

/** Customises the gateway responses so that each body is its type alone. */
const namingTypes = ['DEFAULT_4XX', 'DEFAULT_5XX'].map((ResponseType): [string, GatewayResponse] => [
  ResponseType,
  { ResponseType, ResponseTemplates: { 'application/json': '"$context.error.responseType"' } },
]);

interface Fixture extends Partial<Route>, Pick<Partial<RestApi>, 'gatewayResponses'> {
  log?: (record: AccessRecord) => void;
}

/** Serves an API whose one route is /pets, for any method, at stage `test`; returns its URL, `/test` included. */
export const serveRoute = async (integrate: Integration, fixture: Fixture = {}): Promise<string> => {
  const { resourcePath = '/pets', gatewayResponses = new Map(namingTypes), log, ...more } = fixture;
  const usual = { resourceId: 'Pets', allowsRequest: () => true, authorize: undefined };
  const route: Route = { ...usual, resourcePath, integrate, ...more };
  const api: RestApi = {
    id: 'local',
    accountId: '000000000000',
    arn: 'arn:aws:execute-api:us-east-1:000000000000:local',
    stageName: 'test',
    resources: [{ path: resourcePath, methods: new Map([['ANY', route]]) }],
    accessLogFormat: '',
    gatewayResponses,
    flushAuthorizersCache: () => {},
  };
  return `${await serve(gateway(api, log))}/test`;
};

/** The response of such an API to a request: GET /pets, unless the message says otherwise. */
export const responseOf = async (integrate: Integration, message: Partial<Message> = {}, fixture: Fixture = {}) =>
  sendRaw(await serveRoute(integrate, fixture), { path: '/pets', ...message });
