import { describe, expect, jest, test } from '@jest/globals';
import { tokenAuthorizer } from '../../../local/gateway/authorizer.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { functionOf } from '../../support/http/fixture-gateway.ts';

const arnOf = (method: string) => `arn:aws:execute-api:us-east-1:000000000000:local/test/${method}`;
const pets = arnOf('GET/pets');

const me = { principalId: 'me' };
const allow = { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' };
const policyOf = (Statement: unknown, Version = '2012-10-17') => ({
  ...me,
  policyDocument: { Version, Statement },
});
type Respond = (event: { methodArn: string }, calls: number) => unknown;

/**
 * Returns an authorizer, whose function gets its result from `respond`, and the events that the
 * function received.
 */
const authorizerOf = (respond: Respond = () => policyOf(allow), properties: object = {}) => {
  const events: unknown[] = [];
  const lambda = functionOf((event) => respond(event, events.push(event)));
  const usual = { Type: 'TOKEN', AuthorizerUri: '', IdentitySource: '' };
  const authorize = tokenAuthorizer({ ...usual, ...properties }, lambda);
  /** Returns the context of a request or, if it is rejected, the type of the gateway response. */
  const ask = (token: string | undefined, arn = pets) =>
    authorize(token, arn).catch(({ type }) => type);
  return { ask, events, flushCache: authorize.flushCache };
};

describe('a TOKEN authorizer', () => {
  test('gets the token and the method ARN, and its context becomes strings', async () => {
    const context = { text: 'a', number: 1, yes: true };
    const { ask, events } = authorizerOf(() => ({ ...policyOf([allow]), context }));
    expect(await ask('Bearer x')).toEqual({ ...me, text: 'a', number: '1', yes: 'true' });
    expect(events).toEqual([{ type: 'TOKEN', methodArn: pets, authorizationToken: 'Bearer x' }]);
  });

  test('is asked only about tokens that match its expression', async () => {
    const { ask, events } = authorizerOf(undefined, {
      IdentityValidationExpression: '^Bearer [a-z]+$',
    });
    for (const token of [undefined, '', 'Bearer 1', 'bearer a']) {
      expect([await ask(token), events]).toEqual(['UNAUTHORIZED', []]);
    }
  });

  test.each([
    [{}, 300_000],
    [{ AuthorizerResultTtlInSeconds: 60 }, 60_000],
    [{ AuthorizerResultTtlInSeconds: 0 }, 0],
  ])('with %j is asked again after %i ms', async (properties, ttl) => {
    const { ask, events } = authorizerOf(undefined, properties);
    const now = jest.spyOn(Date, 'now');
    const callsAt = async (time: number) => {
      now.mockReturnValue(1_000_000 + time);
      await ask('a');
      return events.length;
    };
    expect([await callsAt(0), await callsAt(ttl - 1), await callsAt(ttl)]).toEqual([1, 1, 2]);
    now.mockRestore();
  });

  test('is asked about each token once, and each request is judged by the policy that it returned', async () => {
    const { ask, events } = authorizerOf(({ methodArn }) =>
      policyOf({ ...allow, Resource: methodArn }),
    );
    const put = arnOf('PUT/pets');
    expect([await ask('a'), await ask('a', put), await ask('a')]).toEqual([
      me,
      'ACCESS_DENIED',
      me,
    ]);
    expect([await ask('b', put), events.length]).toEqual([me, 2]);
  });

  test('is asked again after a flush, even if the flush came while it was being asked', async () => {
    const { ask, events, flushCache } = authorizerOf();
    await ask('a');
    flushCache();
    const asking = ask('a');
    flushCache();
    await asking;
    expect([await ask('a'), await ask('a'), events.length]).toEqual([me, me, 3]);
  });

  const misconfigured = 'AUTHORIZER_CONFIGURATION_ERROR';
  test.each<[string, unknown, unknown]>([
    ['Deny', policyOf([allow, { ...allow, Effect: 'Deny' }]), 'ACCESS_DENIED'],
    ['another action', policyOf({ ...allow, Action: 's3:*' }), 'ACCESS_DENIED'],
    [
      'only parts of the ARN',
      policyOf({ ...allow, Resource: ['GET/pets', arnOf('GET/pet')] }),
      'ACCESS_DENIED',
    ],
    [
      'one more character',
      policyOf({ ...allow, Resource: 'arn:aws:execute-api:*:local/tes?t/*' }),
      'ACCESS_DENIED',
    ],
    ['wildcards', policyOf({ ...allow, Action: '*', Resource: 'arn:*:local/t??t/GET/p*' }), me],
    [
      'lists',
      policyOf({
        ...allow,
        Action: ['s3:*', 'execute-api:*'],
        Resource: [arnOf('GET/dogs'), pets],
      }),
      me,
    ],
    ['Unauthorized', new FunctionError('Unauthorized'), 'UNAUTHORIZED'],
    ['any other error', new FunctionError('Task timed out after 3.00 seconds'), misconfigured],
    ['nothing', null, misconfigured],
    ['no policy', me, misconfigured],
    ['no statement', policyOf([]), misconfigured],
    ['an unknown version', policyOf(allow, '2026-11-21'), misconfigured],
    ['an unknown effect', policyOf({ ...allow, Effect: 'allow' }), misconfigured],
    ['no action', policyOf({ Effect: 'Allow', Resource: '*' }), misconfigured],
    ['no principal', { ...policyOf(allow), principalId: undefined }, misconfigured],
    ['a context that is not flat', { ...policyOf(allow), context: { list: [] } }, misconfigured],
  ])(
    'decides by the result of its function, and caches only policies: %s',
    async (_what, result, outcome) => {
      const first = () => (result instanceof Error ? Promise.reject(result) : result);
      const { ask } = authorizerOf((_event, calls) => (calls === 1 ? first() : policyOf(allow)));
      const isKept = outcome === me || outcome === 'ACCESS_DENIED';
      expect([await ask('a'), await ask('a')]).toEqual([outcome, isKept ? outcome : me]);
    },
  );
});
