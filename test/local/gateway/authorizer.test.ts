import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type AuthorizerProperties, tokenAuthorizer } from '../../../local/gateway/authorizer.ts';
import {
  allowsInvocation,
  isPolicyDocument,
  type Statement,
} from '../../../local/gateway/policy.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { functionOf } from '../../support/http/fixture-gateway.ts';

const apiArn = 'arn:aws:execute-api:us-east-1:000000000000:local';
const getPets = `${apiArn}/test/GET/pets`;
const putPets = `${apiArn}/test/PUT/pets`;

const me = { principalId: 'me' };
const allow = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' };
const deny = { ...allow, Effect: 'Deny' };
const policyOf = (Statement: unknown) => ({ ...me, policyDocument: { Statement } });

type Event = { methodArn: string; authorizationToken: string };

/** Returns an authorizer, whose function responds, and the events that the function received. */
const authorizerOf = (
  respond: (event: Event) => unknown = () => policyOf(allow),
  properties: Partial<AuthorizerProperties> = {},
) => {
  const events: Event[] = [];
  const lambda = functionOf((event) => {
    events.push(event);
    return respond(event);
  });
  const usual = { Type: 'TOKEN', AuthorizerUri: '', IdentitySource: '' };
  const { authorize, flushCache } = tokenAuthorizer({ ...usual, ...properties }, lambda);
  /** Returns the context of a request or, if it is rejected, the type of the gateway response. */
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
  const { ask } = authorizerOf(() => ({ ...policyOf([allow]), context }));
  expect(await ask('Bearer x')).toEqual({ ...me, text: 'a', number: '1', yes: 'true' });
});

test.each([{ token: undefined }, { token: '' }, { token: 'Bearer 1' }, { token: 'bearer a' }])(
  'an authorizer is not asked about $token, which does not match its expression',
  async (row) => {
    const properties = { IdentityValidationExpression: '^Bearer [a-z]+$' };
    const { ask, events } = authorizerOf(undefined, properties);
    expect(await ask(row.token)).toBe('UNAUTHORIZED');
    expect(events).toEqual([]);
  },
);

test('an authorizer without an expression is asked about every token, not about none', async () => {
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
    const { ask, events } = authorizerOf(undefined, row.properties);
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
    const { ask, events } = authorizerOf(({ methodArn }) =>
      policyOf({ ...allow, Resource: methodArn }),
    );
    expect(await ask('a', getPets)).toEqual(me);
    expect(await ask('a', putPets)).toBe('ACCESS_DENIED');
    expect(await ask('a', getPets)).toEqual(me);
    expect(events).toHaveLength(1);
  });

  test('holds a policy for each token', async () => {
    const { ask } = authorizerOf(({ authorizationToken }) =>
      policyOf(authorizationToken === 'good' ? allow : deny),
    );
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

  test.each([
    { what: 'a Deny', result: policyOf(deny), isKept: true },
    { what: 'an error', result: new FunctionError('Unauthorized'), isKept: false },
    { what: 'an invalid result', result: me, isKept: false },
  ])('keeps $what: $isKept', async ({ result, isKept }) => {
    const results = [result, policyOf(allow)];
    const { ask } = authorizerOf(() => {
      const next = results.shift();
      return next instanceof Error ? Promise.reject(next) : next;
    });
    const first = await ask('a');
    expect(await ask('a')).toEqual(isKept ? first : me);
  });
});

const misconfigured = 'AUTHORIZER_CONFIGURATION_ERROR';

test.each([
  { what: 'an Allow', result: policyOf(allow), outcome: me },
  { what: 'a Deny', result: policyOf(deny), outcome: 'ACCESS_DENIED' },
  { what: 'the error Unauthorized', error: 'Unauthorized', outcome: 'UNAUTHORIZED' },
  { what: 'any other error', error: 'Task timed out after 3.00 seconds', outcome: misconfigured },
  { what: 'nothing', result: null, outcome: misconfigured },
  { what: 'no policy', result: me, outcome: misconfigured },
  {
    what: 'no principal',
    result: { ...policyOf(allow), principalId: undefined },
    outcome: misconfigured,
  },
  {
    what: 'a context that is not flat',
    result: { ...policyOf(allow), context: { list: [] } },
    outcome: misconfigured,
  },
])('the result of an authorizer decides: $what', async ({ result, error, outcome }) => {
  const { ask } = authorizerOf(() => {
    if (error) {
      throw new FunctionError(error);
    }
    return result;
  });
  expect(await ask('a')).toEqual(outcome);
});

test.each<{ what: string; statements: Statement | Statement[]; isAllowed: boolean }>([
  { what: 'one Allow', statements: allow, isAllowed: true },
  { what: 'a Deny, which outdoes an Allow', statements: [allow, deny], isAllowed: false },
  { what: 'no statement', statements: [], isAllowed: false },
  {
    what: 'a Deny of another method',
    statements: [allow, { ...deny, Resource: `${apiArn}/test/PUT/*` }],
    isAllowed: true,
  },
  { what: 'another action', statements: { ...allow, Action: 's3:*' }, isAllowed: false },
  {
    what: 'the beginning of the ARN',
    statements: { ...allow, Resource: `${apiArn}/test/GET/pet` },
    isAllowed: false,
  },
  { what: 'the end of the ARN', statements: { ...allow, Resource: 'GET/pets' }, isAllowed: false },
  {
    what: 'a ? for no character',
    statements: { ...allow, Resource: `${apiArn}/tes?t/*` },
    isAllowed: false,
  },
  {
    what: 'a . that stands for itself',
    statements: { ...allow, Resource: `${apiArn}/test/GET.pets` },
    isAllowed: false,
  },
  {
    what: 'wildcards',
    statements: { ...allow, Action: '*', Resource: 'arn:*:local/t??t/GET/p*' },
    isAllowed: true,
  },
  {
    what: 'lists',
    statements: {
      ...allow,
      Action: ['s3:*', 'execute-api:*'],
      Resource: [`${apiArn}/test/GET/dogs`, getPets],
    },
    isAllowed: true,
  },
])('a policy with $what allows a method: $isAllowed', ({ statements, isAllowed }) => {
  expect(allowsInvocation({ Statement: statements }, getPets)).toBe(isAllowed);
});

test.each([
  { what: 'a statement', policy: { Statement: allow }, isValid: true },
  { what: 'statements', policy: { Statement: [allow, deny] }, isValid: true },
  { what: 'a version', policy: { Version: '2012-10-17', Statement: allow }, isValid: true },
  { what: 'the old version', policy: { Version: '2008-10-17', Statement: allow }, isValid: true },
  { what: 'no version', policy: { Version: '2026-11-21', Statement: allow }, isValid: false },
  { what: 'no statement', policy: { Statement: [] }, isValid: false },
  { what: 'another effect', policy: { Statement: { ...allow, Effect: 'allow' } }, isValid: false },
  { what: 'no action', policy: { Statement: { ...allow, Action: undefined } }, isValid: false },
  { what: 'no resource', policy: { Statement: { ...allow, Resource: '' } }, isValid: false },
  { what: 'nothing', policy: undefined, isValid: false },
])('a policy with $what is valid: $isValid', ({ policy, isValid }) => {
  expect(isPolicyDocument(policy as Parameters<typeof isPolicyDocument>[0])).toBe(isValid);
});
