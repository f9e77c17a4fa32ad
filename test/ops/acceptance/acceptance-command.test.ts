import { once } from 'node:events';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { parseBaseUrl } from '../../../ops/acceptance/base-url.ts';
import { requestList } from '../../../ops/acceptance/request-list.ts';
import { printable, suiteEnvironment } from '../../../ops/acceptance/run-acceptance.ts';
import { serve } from '../../support/http/serve.ts';
import { ops } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const apiKey = 'petstore_staging_given';

afterEach(() => void jest.restoreAllMocks());

describe('a base URL', () => {
  test.each([
    'https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com/prod/v1',
    'https://a1b2c3d4e5.execute-api.cn-north-1.amazonaws.com.cn/staging/v1',
    'https://pets.example/v1',
    'http://127.0.0.1:3000/staging/v1',
    'http://localhost:3000/prod/v1',
  ])('may be %s, with a final slash or without', (baseUrl) => {
    expect([parseBaseUrl(baseUrl), parseBaseUrl(`${baseUrl}/`)]).toEqual([baseUrl, baseUrl]);
  });

  test.each([
    { baseUrl: 'https://a1b2.execute-api.eu-west-1.amazonaws.com/v1', wrong: 'no stage' },
    { baseUrl: 'https://a1b2.execute-api.eu-west-1.amazonaws.com/prod/x/v1', wrong: 'a folder' },
    { baseUrl: 'http://a1b2.execute-api.eu-west-1.amazonaws.com/prod/v1', wrong: 'no TLS' },
    { baseUrl: 'https://pets.example/prod/v1', wrong: 'a stage on a domain of its own' },
    { baseUrl: 'https://pets.example/prod/v1/inventory', wrong: 'an operation' },
    { baseUrl: 'https://pets.example/v1?x=/v1', wrong: 'a query' },
    { baseUrl: 'https://user@pets.example/v1', wrong: 'a user' },
    { baseUrl: 'http://127.0.0.1:3000/v1', wrong: 'a local run without a stage' },
    { baseUrl: 'http://127.0.0.1:99999/staging/v1', wrong: 'no port' },
    { baseUrl: 'pets.example/v1', wrong: 'no scheme' },
  ])('may not be $baseUrl: $wrong', ({ baseUrl }) => {
    expect(() => parseBaseUrl(baseUrl)).toThrow(InvalidArgumentError);
  });
});

describe('the request before the suite', () => {
  test('has the key, and is closed at the beginning of the list', async () => {
    let asked: unknown;
    let closed: Promise<unknown> | undefined;
    const url = await serve((request, response) => {
      asked = { url: request.url, authorization: request.headers.authorization };
      closed = once(response, 'close');
      // A list that never ends.
      response.write('[{"petId":1,');
    });
    expect(await requestList(`${url}/prod/v1`, apiKey)).toEqual({
      status: 200,
      beginning: '[{"petId":1,',
    });
    expect(asked).toEqual({ url: '/prod/v1/inventory', authorization: `Bearer ${apiKey}` });
    await closed;
  });

  test('is given up without a response within 30 seconds', async () => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const url = await serve(() => limit.abort(new Error('The time is up.')));
    await expect(requestList(url, apiKey)).rejects.toThrow('The time is up.');
    expect(timeout).toHaveBeenCalledWith(30_000);
  });

  const acceptance = (baseUrl: string) =>
    ops(['acceptance', '--base-url', baseUrl], { env: { ACCEPTANCE_API_KEY: apiKey } });

  test('tells that nothing answers', async () => {
    // No program can listen on port 0.
    const baseUrl = 'http://127.0.0.1:0/staging/v1';
    const { code, output, errors } = await acceptance(baseUrl);
    expect({ code, output }).toEqual({ code: 6, output: '' });
    expect(errors).toMatch(`petstore: No response from ${baseUrl}/inventory: `);
  });

  test('tells that the key is rejected', async () => {
    const url = await serve((_request, response) => response.writeHead(401).end('{}'));
    const baseUrl = `${url}/staging/v1`;
    expect(await acceptance(baseUrl)).toEqual({
      code: 6,
      output: '',
      errors: `petstore: ${baseUrl} rejects the API key (401). Is it a key of this stage?\n`,
    });
  });

  test('tells an error, without the key and control characters in it', async () => {
    const body = `a\nb \u001b[2J \u009b2J \u202e Bearer ${apiKey}`;
    const url = await serve((_request, response) => response.writeHead(500).end(body));
    const baseUrl = `${url}/staging/v1`;
    expect(await acceptance(baseUrl)).toEqual({
      code: 8,
      output: '',
      errors:
        `petstore: GET ${baseUrl}/inventory returned 500 instead of 200: ` +
        'a\\u000ab \\u001b[2J \\u009b2J \\u202e Bearer <API_KEY>\n',
    });
  });
});

describe('with --local', () => {
  const { stage, all } = localKeys();

  test('acceptance revokes the key that it has issued even if the check fails', async () => {
    stage.onFlush = (response) => response.writeHead(500).end();
    expect(await ops(['acceptance', '--local'])).toMatchObject({ code: 8 });
    expect(await all()).toMatchObject([
      { name: 'petstore acceptance', revokedAt: expect.any(Number) },
    ]);
  });
});

test('acceptance --port looks for the local run on that port', async () => {
  expect(await ops(['acceptance', '--port', '1'])).toEqual({
    code: 6,
    output: '',
    errors:
      'petstore: There is no local run on port 1.\n' +
      'Start one: npx --no -- petstore start --port 1\n',
  });
});

test('the suite gets no credentials of AWS and GitHub, and no key but its own', () => {
  const environment = {
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'secret',
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret',
    GITHUB_TOKEN: 'secret',
    PETSTORE_PROD_API_KEY: 'secret',
    PETSTORE_STAGING_API_KEY: 'secret',
    ACCEPTANCE_API_KEY: 'of another run',
    NODE_EXTRA_CA_CERTS: 'kept',
  };
  const run = { baseUrl: 'https://pets.example/v1', apiKey, readOnly: true } as const;
  expect(suiteEnvironment(environment, { ...run, keyAccess: 'write' })).toEqual({
    NODE_EXTRA_CA_CERTS: 'kept',
    ACCEPTANCE_BASE_URL: 'https://pets.example/v1',
    ACCEPTANCE_API_KEY: apiKey,
    ACCEPTANCE_READ_ONLY: 'true',
    ACCEPTANCE_KEY_ACCESS: 'write',
    FORCE_COLOR: '0',
  });
});

test('what the suite prints of a service has no key and no control characters', () => {
  expect(printable(`\t✓ “Größe” \u001b[2J \u009b2J \u202e Bearer ${apiKey}`, apiKey)).toBe(
    '\t✓ “Größe” \\u001b[2J \\u009b2J \\u202e Bearer <API_KEY>',
  );
});
