import { expect, test } from '@jest/globals';
import { serve } from '../../support/http/serve.ts';
import { ops } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';

const apiKey = 'petstore_staging_given';

const { stage, all } = localKeys();

const acceptance = (baseUrl: string) =>
  ops(['acceptance', '--base-url', baseUrl], { env: { ACCEPTANCE_API_KEY: apiKey } });

test('acceptance says that nothing answers', async () => {
  // No program can listen on port 0.
  const baseUrl = 'http://127.0.0.1:0/staging/v1';
  const { code, output, errors } = await acceptance(baseUrl);
  expect({ code, output }).toEqual({ code: 6, output: '' });
  expect(errors).toMatch(`petstore: No response from ${baseUrl}/inventory: `);
});

test.each([
  {
    what: 'a rejected key',
    status: 401,
    body: '{}',
    code: 6,
    reason: (baseUrl: string) => `${baseUrl} rejects the API key (401). Is it a key of this stage?`,
  },
  {
    what: 'an error, without the key and control characters in it',
    status: 500,
    body: `a\nb \u001b[2J \u009b2J \u202e Bearer ${apiKey}`,
    code: 8,
    reason: (baseUrl: string) =>
      `GET ${baseUrl}/inventory returned 500 instead of 200: ` +
      'a\\u000ab \\u001b[2J \\u009b2J \\u202e Bearer <API_KEY>',
  },
])('acceptance reports $what', async ({ status, body, code, reason }) => {
  const url = await serve((_request, response) => response.writeHead(status).end(body));
  const baseUrl = `${url}/staging/v1`;
  expect(await acceptance(baseUrl)).toEqual({
    code,
    output: '',
    errors: `petstore: ${reason(baseUrl)}\n`,
  });
});

test('acceptance --local revokes the key that it has issued even if the check fails', async () => {
  stage.onFlush = (response) => response.writeHead(500).end();
  expect(await ops(['acceptance', '--local'])).toMatchObject({ code: 8 });
  expect(await all()).toMatchObject([
    { name: 'petstore acceptance', revokedAt: expect.any(Number) },
  ]);
});
