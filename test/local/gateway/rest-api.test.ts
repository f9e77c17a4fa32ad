// What the local run reads from a template at its start, and what operators may ask of it.
import { afterEach, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { clientServer } from '../../../local/gateway/client-server.ts';
import { operatorsApi } from '../../../local/gateway/operators-api.ts';
import { findRoute } from '../../../local/gateway/route.ts';
import type { MethodSetting } from '../../../local/gateway/throttle.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { apiWith, decision, serveApi, template } from '../../support/http/serve-api.ts';

afterEach(() => void jest.restoreAllMocks());

/** Returns what the template says of the requests to a method and path. */
const limitsOf = (methodAndPath: string) => {
  const [stage] = template
    .resources<{ MethodSettings: MethodSetting[] }>('AWS::ApiGateway::Stage')
    .values();
  const { ThrottlingRateLimit: rate = 0, ThrottlingBurstLimit: burst = 0 } =
    stage?.MethodSettings.find(
      ({ HttpMethod, ResourcePath }) => `${HttpMethod} ${ResourcePath}` === methodAndPath,
    ) ?? {};
  return { rate, burst };
};

test('each method is throttled on its own, by its own setting or the one of the stage', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { resources } = apiWith({});
  const routes = ['GET /v1/inventory', 'PATCH /v1/inventory/1', 'PUT /v1/inventory', 'PUT /'].map(
    (request) => {
      const [method = '', path = ''] = request.split(' ');
      return findRoute(resources, method, path).route;
    },
  );
  // At the start, after a second and a half, and after a minute.
  const passed = [0, 1_500, 60_000].map((time) => {
    now.mockReturnValue(time);
    return routes.map(
      ({ allowsRequest }) => Array.from({ length: 5_000 }, allowsRequest).filter(Boolean).length,
    );
  });
  const limits = ['GET /~1v1~1inventory', 'PATCH /~1v1~1inventory~1{petId}', '* /*', '* /*'].map(
    limitsOf,
  );
  const bursts = limits.map(({ burst }) => burst);
  const later = limits.map(({ rate, burst }) => Math.min(burst, 1.5 * rate));
  expect(passed).toStrictEqual([bursts, later, bursts]);
});

test('a request beyond the rate of its method is a 429, and its key is not looked up', async () => {
  // While the clock stands still, no request is added to those that a list allows at once.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const tokens: unknown[] = [];
  const Authorizer = ({ authorizationToken }: { authorizationToken: string }) => {
    tokens.push(authorizationToken);
    return decision('Deny');
  };
  const url = await serveApi(apiWith({ Authorizer }));
  const list = (headers: Record<string, string>) =>
    sendRaw(url, { path: '/staging/v1/inventory', headers });
  // They have no key, for which no authorizer is asked.
  const { burst } = limitsOf('GET /~1v1~1inventory');
  const first = Array.from({ length: burst }, () => list({}));
  expect(new Set((await Promise.all(first)).map(({ status }) => status))).toStrictEqual(
    new Set([401]),
  );
  const { status, headers, text } = await list({
    Authorization: `Bearer ${createApiKey('staging')}`,
  });
  expect({ status, retryAfter: headers['retry-after'], text, tokens }).toStrictEqual({
    status: 429,
    retryAfter: '1',
    text: '{"code":"too_many_requests","message":"Too many requests. Try again later.","status":429}',
    tokens: [],
  });
});

// After Node's five seconds, a busy run would cut off the next request, which it has not read yet.
test('a connection may be idle as long as its client likes', () => {
  expect(clientServer(() => {}).keepAliveTimeout).toBe(0);
});

const description = {
  stageName: 'staging',
  baseUrl: 'http://127.0.0.1:1/staging/v1',
  dynamodb: { endpoint: 'http://127.0.0.1:2', inventory: 'I', apiKeys: 'K' },
};
test('operators get the description of the run', async () => {
  const url = await serve(operatorsApi(description));
  const { status, text } = await sendRaw(url, { path: '/petstore-local-run' });
  expect({ status, text }).toStrictEqual({ status: 200, text: JSON.stringify(description) });
});
