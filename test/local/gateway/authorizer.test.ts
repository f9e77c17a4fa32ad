import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type AuthorizerProperties, tokenAuthorizer } from '../../../local/gateway/authorizer.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { functionOf } from '../../support/http/fixture-gateway.ts';

const apiArn = 'arn:aws:execute-api:us-east-1:000000000000:local';
const getPets = `${apiArn}/test/GET/pets`;
const putPets = `${apiArn}/test/PUT/pets`;

const me = { principalId: 'me' };
const allow = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' };
const deny = { ...allow, Effect: 'Deny' };
const policyOf = (Statement: unknown) => ({ ...me, policyDocument: { Statement } });

interface Given {
  /** Handles the event that the function gets. Default: allows everything. */
  respond?: (event: { methodArn: string; authorizationToken: string }) => unknown;
  properties?: Partial<AuthorizerProperties>;
}

/** Returns an authorizer and the events that its function has received. */
const authorizerOf = ({ respond = () => policyOf(allow), properties }: Given = {}) => {
  const events: unknown[] = [];
  const lambda = functionOf((event) => {
    events.push(event);
    return respond(event);
  });
  const usual = { Type: 'TOKEN', AuthorizerUri: '', IdentitySource: '' };
  const { authorize, flushCache } = tokenAuthorizer({ ...usual, ...properties }, lambda);
  /** Returns the context of a request, or the type of the gateway response that rejects it. */
  const ask = (token: string | undefined, methodArn = getPets) =>
    authorize(token, methodArn).catch(({ type }: { type: string }) => type);
  return { ask, events, flushCache };
};

test('an authorizer gets the token and the method ARN', async () => {
  const { ask, events } = authorizerOf();
  await ask('Bearer x');
  expect(events).toEqual([{ type: 'TOKEN', methodArn: getPets, authorizationToken: 'Bearer x' }]);
});

test("an authorizer's context becomes strings", async () => {
  const context = { text: 'a', number: 1, yes: true };
  const { ask } = authorizerOf({ respond: () => ({ ...policyOf(allow), context }) });
  expect(await ask('Bearer x')).toEqual({ ...me, text: 'a', number: '1', yes: 'true' });
});

test.each([{ token: undefined }, { token: '' }, { token: 'Bearer 1' }, { token: 'bearer a' }])(
  'an authorizer is not asked about the token "$token", which its expression rules out',
  async (row) => {
    const properties = { IdentityValidationExpression: '^Bearer [a-z]+$' };
    const { ask, events } = authorizerOf({ properties });
    expect(await ask(row.token)).toBe('UNAUTHORIZED');
    expect(events).toEqual([]);
  },
);

test('an authorizer without an expression is asked about every token, but not without one', async () => {
  const { ask, events } = authorizerOf();
  expect(await ask('')).toBe('UNAUTHORIZED');
  expect(await ask('anything')).toEqual(me);
  expect(events).toHaveLength(1);
});

describe('the cache of an authorizer', () => {
  afterEach(() => void jest.restoreAllMocks());

  test.each([
    { properties: {}, milliseconds: 300_000 },
    { properties: { AuthorizerResultTtlInSeconds: 60 }, milliseconds: 60_000 },
    { properties: { AuthorizerResultTtlInSeconds: 0 }, milliseconds: 0 },
  ])('with $properties keeps a result for $milliseconds ms', async (row) => {
    const { ask, events } = authorizerOf({ properties: row.properties });
    const now = jest.spyOn(Date, 'now');
    const callsAfter = async (milliseconds: number) => {
      now.mockReturnValue(1_000_000 + milliseconds);
      await ask('a');
      return events.length;
    };
    expect(await callsAfter(0)).toBe(1);
    expect(await callsAfter(row.milliseconds - 1)).toBe(1);
    expect(await callsAfter(row.milliseconds)).toBe(2);
  });

  test('holds the policy, by which each request is judged', async () => {
    const { ask, events } = authorizerOf({
      respond: ({ methodArn }) => policyOf({ ...allow, Resource: methodArn }),
    });
    expect(await ask('a', getPets)).toEqual(me);
    expect(await ask('a', putPets)).toBe('ACCESS_DENIED');
    expect(await ask('a', getPets)).toEqual(me);
    expect(events).toHaveLength(1);
  });

  test('holds a policy for each token', async () => {
    const { ask } = authorizerOf({
      respond: ({ authorizationToken: token }) => policyOf(token === 'good' ? allow : deny),
    });
    expect(await ask('good')).toEqual(me);
    expect(await ask('bad')).toBe('ACCESS_DENIED');
  });

  test('is empty after a flush', async () => {
    const { ask, events, flushCache } = authorizerOf();
    await ask('a');
    flushCache();
    await ask('a');
    await ask('a');
    expect(events).toHaveLength(2);
  });

  test('does not keep a result that was asked for before a flush', async () => {
    const { ask, events, flushCache } = authorizerOf();
    const asking = ask('a');
    flushCache();
    await asking;
    await ask('a');
    expect(events).toHaveLength(2);
  });
});

test('a Deny is cached, too', async () => {
  const { ask, events } = authorizerOf({ respond: () => policyOf(deny) });
  await ask('a');
  expect(await ask('a')).toBe('ACCESS_DENIED');
  expect(events).toHaveLength(1);
});

test.each([
  { what: 'an error', fail: () => Promise.reject(new FunctionError('Unauthorized')) },
  { what: 'an invalid result', fail: () => me },
])('$what is not cached', async ({ fail }) => {
  const responses = [fail, () => policyOf(allow)];
  const { ask } = authorizerOf({ respond: () => responses.shift()?.() });
  await ask('a');
  expect(await ask('a')).toEqual(me);
});

test.each([
  { what: 'an Allow', respond: () => policyOf(allow), outcome: me },
  { what: 'a Deny', respond: () => policyOf(deny), outcome: 'ACCESS_DENIED' },
  {
    what: 'the error Unauthorized',
    respond: () => Promise.reject(new FunctionError('Unauthorized')),
    outcome: 'UNAUTHORIZED',
  },
])('after $what, a request gets $outcome', async (row) => {
  const { ask } = authorizerOf(row);
  expect(await ask('a')).toEqual(row.outcome);
});

test.each([
  { what: 'any other error', respond: () => Promise.reject(new FunctionError('Timed out')) },
  { what: 'nothing', respond: () => null },
  { what: 'no policy', respond: () => me },
  { what: 'no principal', respond: () => ({ ...policyOf(allow), principalId: undefined }) },
  {
    what: 'a context that is not flat',
    respond: () => ({ ...policyOf(allow), context: { list: [] } }),
  },
])('an authorizer that returns $what is misconfigured', async (row) => {
  const { ask } = authorizerOf(row);
  expect(await ask('a')).toBe('AUTHORIZER_CONFIGURATION_ERROR');
});
