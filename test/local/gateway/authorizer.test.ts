import { describe, expect, jest, test } from '@jest/globals';
import {
  type FixtureFunction,
  proxyMethod,
  resource,
  serveFixture,
  tokenAuthorizer,
} from '../../support/fixture-gateway.ts';
import { sendRaw } from '../../support/http-client.ts';

const authorized = { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'TokenAuthorizer' } };

/** Serves GET and PUT of /pets and GET of /dogs behind an authorizer whose handler is the given function of (event, calls). */
const serveBehind = (authorizer: string, properties: object = {}, more: Partial<FixtureFunction> = {}) =>
  serveFixture(
    {
      Handler: {
        code: 'exports.handler = async ({ requestContext }) => ({ statusCode: 200, body: JSON.stringify(requestContext.authorizer) });',
      },
      Authorizer: {
        code: `let calls = 0; const respond = ${authorizer}; exports.handler = async (event) => respond(event, ++calls);`,
        ...more,
      },
    },
    {
      TokenAuthorizer: tokenAuthorizer(properties),
      Pets: resource('pets'),
      Dogs: resource('dogs'),
      A: proxyMethod({ Ref: 'Pets' }, 'GET', authorized),
      B: proxyMethod({ Ref: 'Pets' }, 'PUT', authorized),
      C: proxyMethod({ Ref: 'Dogs' }, 'GET', authorized),
    },
  );

const policy = (statement: string, context = '{ calls }') =>
  `(event, calls) => ({ principalId: 'me', policyDocument: { Version: '2012-10-17', Statement: ${statement} }, context: ${context} })`;
const allow = (resources: string) =>
  policy(`[{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: ${resources} }]`);
const allowAll = allow("event.methodArn.replace(/\\/.*/, '/*')");

const unauthorized = { status: 401, body: { message: 'Unauthorized' } };
const denied = { status: 403, body: { message: 'User is not authorized to access this resource' } };
const misconfigured = { status: 500, body: { message: null } };

const ask = (url: string, Authorization = 'x', path = '/pets', method = 'GET') =>
  sendRaw(url, { method, path, headers: { Authorization } });

describe('a TOKEN authorizer', () => {
  test('gets the token and the method ARN; its context reaches the handler as strings', async () => {
    const context = '{ event: JSON.stringify(event), number: 1, yes: true }';
    const url = await serveBehind(policy("{ Effect: 'Allow', Action: '*', Resource: '*' }", context));
    expect((await ask(url, 'Bearer x')).body).toEqual({
      principalId: 'me',
      number: '1',
      yes: 'true',
      event: JSON.stringify({
        type: 'TOKEN',
        methodArn: 'arn:aws:execute-api:us-east-1:000000000000:local/test/GET/pets',
        authorizationToken: 'Bearer x',
      }),
    });
  });

  test('is not asked without a token, or with one that the validation expression does not match', async () => {
    const url = await serveBehind(allowAll, { IdentityValidationExpression: '^Bearer [a-z]+$' });
    expect(await sendRaw(url, { path: '/pets' })).toMatchObject(unauthorized);
    expect(await ask(url, '')).toMatchObject(unauthorized);
    expect(await ask(url, 'Bearer 1')).toMatchObject(unauthorized);
    expect((await ask(url, 'Bearer a')).body).toMatchObject({ calls: '1' });
  });

  test('is asked once for each token in the time that its policy is kept', async () => {
    const url = await serveBehind(allowAll);
    const calls = async (token: string) => ((await ask(url, token)).body as { calls: string }).calls;
    expect([await calls('a'), await calls('a'), await calls('b'), await calls('a')]).toEqual(['1', '1', '2', '1']);
  });

  test('is asked anew when the time to live is over, and each time when it is 0', async () => {
    const calls = async (url: string) => ((await ask(url)).body as { calls: string }).calls;
    const minute = await serveBehind(allowAll, { AuthorizerResultTtlInSeconds: 60 });
    expect([await calls(minute), await calls(minute)]).toEqual(['1', '1']);
    const inAMinute = Date.now() + 60_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => inAMinute);
    expect(await calls(minute)).toBe('2');
    clock.mockRestore();

    const never = await serveBehind(allowAll, { AuthorizerResultTtlInSeconds: 0 });
    expect([await calls(never), await calls(never)]).toEqual(['1', '2']);
  });

  test('is asked anew after a flush of the cache, also when the flush came while it was asked', async () => {
    const url = await serveBehind(`async (event, calls) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return (${allowAll})(event, calls);
    }`);
    const calls = async () => ((await ask(url)).body as { calls: string }).calls;
    const flush = (path = '/restapis/local/stages/test/cache/authorizers', method = 'DELETE') =>
      fetch(new URL(path, url), { method });
    expect([await calls(), await calls()]).toEqual(['1', '1']);
    expect((await flush()).status).toBe(202);

    const asking = calls();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await flush()).status).toBe(202);
    expect([await asking, await calls(), await calls()]).toEqual(['2', '3', '3']);

    for (const rejected of [
      flush('/restapis/local/stages/other/cache/authorizers'),
      flush('/restapis/other/stages/test/cache/authorizers'),
      flush('/restapis/local/stages/test/cache/data'),
      flush(undefined, 'GET'),
    ]) {
      expect((await rejected).status).toBe(404);
    }
    expect(await calls()).toBe('3');
  });

  test('whose policy names the first method alone denies the next, for as long as the policy is kept', async () => {
    const url = await serveBehind(allow('event.methodArn'));
    expect((await ask(url)).status).toBe(200);
    expect(await ask(url, 'x', '/pets', 'PUT')).toMatchObject(denied);
    expect(await ask(url, 'x', '/dogs')).toMatchObject(denied);
    expect((await ask(url)).status).toBe(200);
    expect((await ask(url, 'y', '/dogs')).status).toBe(200);
  });

  test('denies for as long as the policy is kept, too', async () => {
    const url = await serveBehind(
      policy("{ Effect: calls === 1 ? 'Deny' : 'Allow', Action: 'execute-api:Invoke', Resource: '*' }"),
    );
    expect(await ask(url)).toMatchObject(denied);
    expect(await ask(url)).toMatchObject(denied);
    expect((await ask(url, 'y')).status).toBe(200);
  });

  test.each([
    [
      'an explicit Deny beside an Allow',
      "[{ Effect: 'Allow', Action: '*', Resource: '*' }, { Effect: 'Deny', Action: '*', Resource: '*' }]",
    ],
    ['another action', "[{ Effect: 'Allow', Action: 's3:*', Resource: '*' }]"],
    ['another resource', "[{ Effect: 'Allow', Action: '*', Resource: 'arn:aws:execute-api:*:*:*/live/*' }]"],
  ])('denies with %s', async (_what, statement) => {
    expect(await ask(await serveBehind(policy(statement)))).toMatchObject(denied);
  });

  test('reads wildcards as IAM does', async () => {
    const url = await serveBehind(allow("'arn:aws:execute-api:*:*:local/t??t/GET/p*'"));
    expect((await ask(url)).status).toBe(200);
    expect(await ask(url, 'x', '/dogs')).toMatchObject(denied);
  });

  test('that throws Unauthorized is a 401, and is asked again', async () => {
    const url = await serveBehind(
      `(event, calls) => { if (calls === 1) throw new Error('Unauthorized'); return (${allowAll})(event, calls); }`,
    );
    expect(await ask(url)).toMatchObject(unauthorized);
    expect((await ask(url)).body).toMatchObject({ calls: '2' });
  });

  test.each([
    ['throws anything else', "() => { throw new Error('table is gone'); }"],
    ['returns nothing', '() => undefined'],
    ['returns no policy', "() => ({ principalId: 'me' })"],
    ['returns a policy without statements', policy('[]')],
    ['returns a policy of an unknown version', allowAll.replace('2012-10-17', '2026-11-21')],
    ['returns an unknown effect', policy("{ Effect: 'allow', Action: '*', Resource: '*' }")],
    [
      'returns no principal',
      "() => ({ policyDocument: { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] } })",
    ],
    ['returns a context that is not flat', policy("{ Effect: 'Allow', Action: '*', Resource: '*' }", '{ list: [] }')],
  ])('that %s is a 500', async (_what, authorizer) => {
    expect(await ask(await serveBehind(authorizer))).toMatchObject(misconfigured);
  });

  test('that takes too long is a 500', async () => {
    const never = '() => new Promise(() => setTimeout(() => {}, 60000))';
    expect(await ask(await serveBehind(never, {}, { timeoutSeconds: 0.5 }))).toMatchObject(misconfigured);
  });

  test('that API Gateway may not invoke is a 500', async () => {
    const permittedSource = 'authorizers/another';
    expect(await ask(await serveBehind(allowAll, {}, { permittedSource }))).toMatchObject(misconfigured);
  });
});
