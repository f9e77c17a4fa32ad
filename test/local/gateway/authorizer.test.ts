// Which requests the authorizer lets through, and when its function is asked.
import { afterEach, expect, jest, test } from '@jest/globals';
import { tokenAuthorizer } from '../../../local/gateway/authorizer.ts';
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts';

afterEach(() => void jest.restoreAllMocks());

const apiArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test';
const get = `${apiArn}/GET/pets`;
const put = `${apiArn}/PUT/pets`;

const policyOf = (Effect: string, Resource: string) => ({
  principalId: 'me',
  policyDocument: { Statement: [{ Effect, Resource }] },
  context: { keyId: '7', calls: 1, yes: true },
});
const allowAll = policyOf('Allow', `${apiArn}/*`);
/** The context of an allowed request, all of it text. */
const allowed = { principalId: 'me', keyId: '7', calls: '1', yes: 'true' };

/** Returns an authorizer whose function returns or throws these, one after the other. */
const authorizerOf = (...results: unknown[]) => {
  const asked: string[] = [];
  const invoke = async ({ authorizationToken }: { authorizationToken: string }) => {
    const result = results[Math.min(asked.length, results.length - 1)];
    asked.push(authorizationToken);
    return result instanceof Error ? Promise.reject(result) : result;
  };
  const properties = {
    AuthorizerUri: '',
    AuthorizerResultTtlInSeconds: 50,
    IdentityValidationExpression: '^Bearer [a-z]+$',
  };
  const { authorize, flushCache } = tokenAuthorizer(properties, { invoke } as LambdaFunction);
  /** Returns the context of a request, or the type of the gateway response that rejects it. */
  const ask = (token: string | undefined, methodArn = get): Promise<unknown> =>
    authorize(token, methodArn).catch(({ type }) => type);
  return { ask, asked, flushCache };
};

test.each([undefined, '', 'Bearer 1', 'bearer a', 'Bearer a\n'])(
  'the function is not asked about the token %j, which cannot be a key',
  async (token) => {
    const { ask, asked } = authorizerOf(allowAll);
    expect(await ask(token)).toBe('UNAUTHORIZED');
    expect(asked).toStrictEqual([]);
  },
);

test.each([
  { policy: policyOf('Allow', get), outcomes: [allowed, 'ACCESS_DENIED'] },
  { policy: allowAll, outcomes: [allowed, allowed] },
  { policy: policyOf('Deny', `${apiArn}/*`), outcomes: ['ACCESS_DENIED', 'ACCESS_DENIED'] },
])(
  'a GET and a PUT are judged each by the one policy that is asked for: $policy.policyDocument',
  async ({ policy, outcomes }) => {
    const { ask, asked } = authorizerOf(policy);
    expect([await ask('Bearer a', get), await ask('Bearer a', put)]).toStrictEqual(outcomes);
    expect(asked).toStrictEqual(['Bearer a']);
  },
);

test('each token has a policy of its own, and a failure is not cached', async () => {
  const { ask, asked } = authorizerOf(allowAll, policyOf('Deny', '*'), new Error(), allowAll);
  expect(await ask('Bearer a')).toStrictEqual(allowed);
  expect(await ask('Bearer b')).toBe('ACCESS_DENIED');
  expect(await ask('Bearer a')).toStrictEqual(allowed);
  expect(await ask('Bearer c')).toBe('AUTHORIZER_CONFIGURATION_ERROR');
  expect(await ask('Bearer c')).toStrictEqual(allowed);
  expect(asked).toStrictEqual(['Bearer a', 'Bearer b', 'Bearer c', 'Bearer c']);
});

test('a policy is cached for as long as the template says', async () => {
  const { ask, asked } = authorizerOf(allowAll);
  const now = jest.spyOn(Date, 'now');
  const callsAfter = async (milliseconds: number) => {
    now.mockReturnValue(1_000_000 + milliseconds);
    await ask('Bearer a');
    return asked.length;
  };
  expect([await callsAfter(0), await callsAfter(49_999), await callsAfter(50_000)]).toStrictEqual([
    1, 1, 2,
  ]);
});

test('a flush empties the cache, also of what was asked for before and comes after', async () => {
  const { ask, asked, flushCache } = authorizerOf(allowAll);
  const asking = ask('Bearer a');
  flushCache();
  await asking;
  await ask('Bearer a');
  await ask('Bearer a');
  expect(asked).toHaveLength(2);
  flushCache();
  await ask('Bearer a');
  expect(asked).toHaveLength(3);
});
