import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { tokenAuthorizer } from '../../../local/gateway/authorizer.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { functionOf } from '../../support/fixture-gateway.ts';

afterEach(() => void jest.restoreAllMocks());

const arnOf = (method: string) => `arn:aws:execute-api:us-east-1:000000000000:local/test/${method}`;
const pets = arnOf('GET/pets');

const me = { principalId: 'me' };
const allow = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' };
const policyOf = (Statement: unknown, Version = '2012-10-17') => ({ ...me, policyDocument: { Version, Statement } });
type Respond = (event: { methodArn: string }, calls: number) => unknown;

/** An authorizer whose function responds to its nth event so, and the events that it got. */
const authorizerOf = (respond: Respond = () => policyOf(allow), properties: object = {}) => {
  const events: unknown[] = [];
  const lambda = functionOf((event) => respond(event, events.push(event)));
  const usual = { Type: 'TOKEN', AuthorizerUri: '', IdentitySource: '' };
  const authorize = tokenAuthorizer({ ...usual, ...properties }, lambda);
  /** The context of a request, or the type of the gateway response. */
  const ask = (token: string | undefined, arn = pets) => authorize(token, arn).catch(({ type }) => type);
  return { ask, events, flushCache: authorize.flushCache };
};

describe('a TOKEN authorizer', () => {
  test('gets the token and the method ARN; its context comes as strings', async () => {
    const context = { text: 'a', number: 1, yes: true };
    const { ask, events } = authorizerOf(() => ({ ...policyOf([allow]), context }));
    expect(await ask('Bearer x')).toEqual({ ...me, text: 'a', number: '1', yes: 'true' });
    expect(events).toEqual([{ type: 'TOKEN', methodArn: pets, authorizationToken: 'Bearer x' }]);
  });

  test.each([
    [undefined, {}],
    ['', {}],
    ['Bearer 1', { IdentityValidationExpression: '^Bearer [a-z]+$' }],
    ['bearer a', { IdentityValidationExpression: '^Bearer [a-z]+$' }],
  ])('is not asked about the token %j, with %j', async (token, properties) => {
    const { ask, events } = authorizerOf(undefined, properties);
    expect([await ask(token), events]).toEqual(['UNAUTHORIZED', []]);
  });

  test.each([
    [{}, 299_999, 1],
    [{}, 300_000, 2],
    [{ AuthorizerResultTtlInSeconds: 60 }, 59_999, 1],
    [{ AuthorizerResultTtlInSeconds: 60 }, 60_000, 2],
    [{ AuthorizerResultTtlInSeconds: 0 }, 0, 2],
  ])('with %j has been asked, after %i ms, %i times', async (properties, later, calls) => {
    const { ask, events } = authorizerOf(undefined, properties);
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    await ask('a');
    now.mockReturnValue(1_000_000 + later);
    await ask('a');
    expect(events).toHaveLength(calls);
  });

  test('is asked about each token, and anew after a flush, also when that came while it was asked', async () => {
    const { ask, events, flushCache } = authorizerOf();
    const callsAfter = async (token: string) => {
      await ask(token);
      return events.length;
    };
    expect([await callsAfter('a'), await callsAfter('b'), await callsAfter('a')]).toEqual([1, 2, 2]);
    flushCache();
    const asking = callsAfter('a');
    flushCache();
    expect([await asking, await callsAfter('a'), await callsAfter('a')]).toEqual([3, 4, 4]);
  });

  test('judges each request by the policy of the first, for as long as that is kept', async () => {
    const { ask, events } = authorizerOf(({ methodArn }) => policyOf({ ...allow, Resource: methodArn }));
    const outcomes = [
      await ask('a'),
      await ask('a', arnOf('PUT/pets')),
      await ask('a'),
      await ask('b', arnOf('GET/dogs')),
    ];
    expect(outcomes).toEqual([me, 'ACCESS_DENIED', me, me]);
    expect(events).toHaveLength(2);
  });

  test.each([
    ['Deny', { ...allow, Effect: 'Deny' }, 'ACCESS_DENIED'],
    ['Deny beside Allow', [allow, { ...allow, Effect: 'Deny' }], 'ACCESS_DENIED'],
    ['another action', { ...allow, Action: 's3:*' }, 'ACCESS_DENIED'],
    ['another stage', { ...allow, Resource: 'arn:aws:execute-api:*:*:*/live/*' }, 'ACCESS_DENIED'],
    ['a character too many', { ...allow, Resource: 'arn:aws:execute-api:*:*:local/tes?t/*' }, 'ACCESS_DENIED'],
    ["IAM's wildcards", { ...allow, Action: '*', Resource: 'arn:aws:execute-api:*:*:local/t??t/GET/p*' }, me],
    ['lists', { ...allow, Action: ['s3:*', 'execute-api:*'], Resource: [arnOf('GET/dogs'), pets] }, me],
  ])('goes by %s, also the next time', async (_what, statement, outcome) => {
    const { ask, events } = authorizerOf(() => policyOf(statement));
    expect([await ask('a'), await ask('a'), events.length]).toEqual([outcome, outcome, 1]);
  });

  const fails = (message: string) => () => Promise.reject(new FunctionError(message));
  test.each<[string, Respond, string?]>([
    ['throws Unauthorized', fails('Unauthorized'), 'UNAUTHORIZED'],
    ['throws anything else', fails('Task timed out after 3.00 seconds')],
    ['returns nothing', () => null],
    ['returns no policy', () => me],
    ['returns no statement', () => policyOf([])],
    ['returns an unknown version', () => policyOf(allow, '2026-11-21')],
    ['returns an unknown effect', () => policyOf({ ...allow, Effect: 'allow' })],
    ['returns no action', () => policyOf({ Effect: 'Allow', Resource: '*' })],
    ['returns no principal', () => ({ ...policyOf(allow), principalId: undefined })],
    ['returns a context that is not flat', () => ({ ...policyOf(allow), context: { list: [] } })],
  ])('that %s fails, and is asked again', async (_what, respond, type = 'AUTHORIZER_CONFIGURATION_ERROR') => {
    const { ask } = authorizerOf((event, calls) => (calls === 1 ? respond(event, calls) : policyOf(allow)));
    expect([await ask('a'), await ask('a')]).toEqual([type, me]);
  });
});
