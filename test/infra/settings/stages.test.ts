import { describe, expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

/** An account that has asked for no other quota runs so many functions at a time. */
const defaultConcurrency = 1_000;
/** What lists may occupy of it; updates and the authorizer need the rest. */
const ofLists = 0.6 * defaultConcurrency;

const throttlingOf = (stageName: string, method: string, path: string) => {
  const [{ MethodSettings }] = stackOf(stageName).all('AWS::ApiGateway::Stage');
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = MethodSettings.find(
    (each: Json) => each.HttpMethod === method && each.ResourcePath === path,
  );
  return { rate, burst };
};

const list = '/~1v1~1inventory';
const update = '/~1v1~1inventory~1{petId}';

describe.each(['staging', 'prod'])('%s', (stageName) => {
  test('accepts 10 lists and 2,000 updates a second', () => {
    expect(throttlingOf(stageName, 'GET', list)).toEqual({ rate: 10, burst: 20 });
    expect(throttlingOf(stageName, 'PATCH', update)).toEqual({ rate: 2_000, burst: 4_000 });
  });

  test('leaves executions for updates when every list takes as long as it may', () => {
    const { Timeout } = stackOf(stageName).byName('AWS::Lambda::Function').ListInventory;
    expect(throttlingOf(stageName, 'GET', list).rate * Timeout).toBeLessThanOrEqual(ofLists);
  });
});

describe('the firewall of prod', () => {
  const limits = (): Record<string, number> =>
    Object.fromEntries(
      stackOf('prod')
        .all('AWS::WAFv2::WebACL')
        .flatMap(({ Rules }) => Rules)
        .filter(({ Statement }: Json) => Statement.RateBasedStatement)
        .map(({ Name, Statement }: Json) => [Name, Statement.RateBasedStatement.Limit]),
    );

  test('accepts so many requests a minute', () => {
    expect(limits()).toEqual({
      RequestsWithoutKey: 500,
      ListRequests: 150,
      AllRequests: 12_000,
      ListRequestsOfKey: 150,
      AllRequestsOfKey: 30_000,
    });
  });

  test('leaves three quarters of what the stage accepts to other addresses and keys', () => {
    const quarterOf = (method: string, path: string) =>
      (60 * throttlingOf('prod', method, path).rate) / 4;
    const { ListRequests, ListRequestsOfKey, ...ofAll } = limits();
    const largest = { lists: Math.max(ListRequests ?? 0, ListRequestsOfKey ?? 0), all: 0 };
    largest.all = Math.max(...Object.values(ofAll));
    expect(largest.lists).toBeLessThanOrEqual(quarterOf('GET', list));
    expect(largest.all).toBeLessThanOrEqual(quarterOf('PATCH', update));
  });
});
