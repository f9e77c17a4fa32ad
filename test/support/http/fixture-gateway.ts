import type { Readable } from 'node:stream';
import { gateway } from '../../../local/gateway/gateway.ts';
import type { Integration } from '../../../local/gateway/integrations/integration.ts';
import type { GatewayResponse } from '../../../local/gateway/responses/gateway-response.ts';
import type { RestApi } from '../../../local/gateway/rest-api.ts';
import type { Route } from '../../../local/gateway/route.ts';
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts';
import type { AccessRecord } from '../../../local/log/access-log.ts';
import { type Message, sendRaw } from '../../../ops/acceptance/suite/raw-request.ts';
import { serve } from './serve.ts';

/**
 * Returns a function without a process, for the gateway. What the handler throws rejects the
 * invocation.
 */
// biome-ignore lint/suspicious/noExplicitAny: an event may hold anything
export const functionOf = (handler: (event: any) => unknown): LambdaFunction => ({
  invoke: async (event) => handler(event),
  invokeStreaming: async (event) => handler(event) as Readable,
  close: () => {},
});

/** Customized gateway responses, each with only its type as the body. */
const namingTypes = ['DEFAULT_4XX', 'DEFAULT_5XX'].map(
  (ResponseType): [string, GatewayResponse] => [
    ResponseType,
    { ResponseType, ResponseTemplates: { 'application/json': '"$context.error.responseType"' } },
  ],
);

interface Fixture extends Partial<Route>, Pick<Partial<RestApi>, 'gatewayResponses'> {
  log?: (record: AccessRecord) => void;
}

/**
 * Serves an API with one route, /pets for any method, at stage `test`. Returns its URL, which ends
 * in `/test`.
 */
export const serveRoute = async (
  integrate: Integration,
  fixture: Fixture = {},
): Promise<string> => {
  const { resourcePath = '/pets', gatewayResponses = new Map(namingTypes), log, ...more } = fixture;
  const usual = { resourceId: 'Pets', allowsRequest: () => true, authorizer: undefined };
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

/**
 * Serves an API as `serveRoute` does and returns its response to one request, by default GET /pets.
 */
export const responseOf = async (
  integrate: Integration,
  message: Partial<Message> = {},
  fixture: Fixture = {},
) => sendRaw(await serveRoute(integrate, fixture), { path: '/pets', ...message });
