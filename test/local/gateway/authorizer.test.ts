import { afterEach, expect, jest, test } from '@jest/globals';
import { tokenAuthorizer } from '../../../local/gateway/authorizer.ts';
import { functionOf } from '../../support/http/serve-api.ts';

const apiArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test';
const get = `${apiArn}/GET/pets`;
const put = `${apiArn}/PUT/pets`;

const result = (...statements: [effect: string, resource: string][]) => ({
  principalId: 'me',
  policyDocument: { Statement: statements.map(([Effect, Resource]) => ({ Effect, Resource })) },
  context: { keyId: '7', calls: 1, yes: true },
});
const allowAll = result(['Allow', `${apiArn}/*`]);
const allowed = { principalId: 'me', keyId: '7', calls: '1', yes: 'true' };
const failure = new Error('no table');

/** Returns an authorizer of 50 s whose function returns or throws these, one after the other. */
const authorizerOf = (...results: unknown[]) => {
  const events: unknown[] = [];
  const lambda = functionOf((event) => {
    events.push(event);
    const next = results.length > 1 ? results.shift() : results[0];
    return next instanceof Error ? Promise.reject(next) : next;
  });
  const properties = {
    AuthorizerUri: '',
    AuthorizerResultTtlInSeconds: 50,
    IdentityValidationExpression: '^Bearer [a-z]+$',
  };
  const { authorize, flushCache } = tokenAuthorizer(properties, lambda);
  /** Returns the context of a request, or the type of the gateway response that rejects it. */
  const ask = (token: string | undefined, methodArn = get): Promise<unknown> =>
    authorize(token, methodArn).catch(({ type }) => type);
  return { ask, events, flushCache };
};

afterEach(() => void jest.restoreAllMocks());

test('the function gets the token and the method, and its context becomes text', async () => {
  const { ask, events } = authorizerOf(allowAll);
  expect(await ask('Bearer x')).toStrictEqual(allowed);
  expect(events).toStrictEqual([{ type: 'TOKEN', methodArn: get, authorizationToken: 'Bearer x' }]);
});

test.each([undefined, '', 'Bearer 1', 'bearer a', 'Bearer a\n'])(
  'the function is not asked about the token %j, which cannot be a key',
  async (token) => {
    const { ask, events } = authorizerOf(allowAll);
    expect(await ask(token)).toBe('UNAUTHORIZED');
    expect(events).toStrictEqual([]);
  },
);

test.each([
  { policy: result(['Allow', get]), get: allowed, put: 'ACCESS_DENIED' },
  { policy: result(['Allow', `${apiArn}/*`]), get: allowed, put: allowed },
  { policy: result(['Allow', `${apiArn}/*`], ['Deny', put]), get: allowed, put: 'ACCESS_DENIED' },
  { policy: result(['Deny', `${apiArn}/*`]), get: 'ACCESS_DENIED', put: 'ACCESS_DENIED' },
  { policy: result(['Allow', 'xrn*']), get: 'ACCESS_DENIED', put: 'ACCESS_DENIED' },
  { policy: result(), get: 'ACCESS_DENIED', put: 'ACCESS_DENIED' },
])(
  'each request is judged by the policy, of which one is cached: $policy.policyDocument',
  async (row) => {
    const { ask, events } = authorizerOf(row.policy);
    expect([await ask('Bearer a', get), await ask('Bearer a', put)]).toStrictEqual([
      row.get,
      row.put,
    ]);
    expect(events).toHaveLength(1);
  },
);

test('each token has a policy of its own', async () => {
  const { ask } = authorizerOf(allowAll, result(['Deny', '*']));
  expect([await ask('Bearer a'), await ask('Bearer b'), await ask('Bearer a')]).toStrictEqual([
    allowed,
    'ACCESS_DENIED',
    allowed,
  ]);
});

test('a failure is not cached', async () => {
  const { ask } = authorizerOf(failure, allowAll);
  expect([await ask('Bearer a'), await ask('Bearer a')]).toStrictEqual([
    'AUTHORIZER_CONFIGURATION_ERROR',
    allowed,
  ]);
});

test('a policy is cached for as long as the template says', async () => {
  const { ask, events } = authorizerOf(allowAll);
  const now = jest.spyOn(Date, 'now');
  const callsAfter = async (milliseconds: number) => {
    now.mockReturnValue(1_000_000 + milliseconds);
    await ask('Bearer a');
    return events.length;
  };
  expect([await callsAfter(0), await callsAfter(49_999), await callsAfter(50_000)]).toStrictEqual([
    1, 1, 2,
  ]);
});

test('a flush empties the cache, also of what was asked for before and comes after', async () => {
  const { ask, events, flushCache } = authorizerOf(allowAll);
  const asking = ask('Bearer a');
  flushCache();
  await asking;
  await ask('Bearer a');
  expect(events).toHaveLength(2);
  await ask('Bearer a');
  expect(events).toHaveLength(2);
  flushCache();
  await ask('Bearer a');
  expect(events).toHaveLength(3);
});
