// What the local run reads from a template at its start.
import { afterEach, expect, jest, test } from '@jest/globals';
import { findRoute } from '../../../local/gateway/route.ts';
import type { MethodSetting } from '../../../local/gateway/throttle.ts';
import { apiWith, template } from '../../support/http/serve-api.ts';

afterEach(() => void jest.restoreAllMocks());

/** Requests, and whose limits the template has for them. */
const throttled = [
  { method: 'GET', path: '/v1/inventory', limitsOf: 'GET /~1v1~1inventory' },
  { method: 'PATCH', path: '/v1/inventory/1', limitsOf: 'PATCH /~1v1~1inventory~1{petId}' },
  { method: 'PUT', path: '/v1/inventory', limitsOf: '* /*' },
  { method: 'PUT', path: '/', limitsOf: '* /*' },
];

test('each method is throttled on its own, by its own setting or the one of the stage', () => {
  const [stage] = template
    .resources<{ MethodSettings: MethodSetting[] }>('AWS::ApiGateway::Stage')
    .values();
  const limits = throttled.map(({ limitsOf }) => {
    const { ThrottlingRateLimit: rate = 0, ThrottlingBurstLimit: burst = 0 } =
      stage?.MethodSettings.find(
        (each) => `${each.HttpMethod} ${each.ResourcePath}` === limitsOf,
      ) ?? {};
    return { rate, burst };
  });
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { resources } = apiWith({});
  const routes = throttled.map(({ method, path }) => findRoute(resources, method, path).route);
  /** Returns how many of many requests at a time are let through. */
  const passedAt = (time: number) => {
    now.mockReturnValue(time);
    return routes.map(
      ({ allowsRequest }) => Array.from({ length: 5_000 }, allowsRequest).filter(Boolean).length,
    );
  };
  const bursts = limits.map(({ burst }) => burst);
  expect(passedAt(0)).toStrictEqual(bursts);
  expect(passedAt(1_500)).toStrictEqual(
    limits.map(({ rate, burst }) => Math.min(burst, 1.5 * rate)),
  );
  expect(passedAt(60_000)).toStrictEqual(bursts);
});
