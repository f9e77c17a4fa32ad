import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { checkStage } from '../../../ops/stage/check-stage.ts';
import { serve } from '../../support/http/serve.ts';
import { fakeAws } from '../../support/ops/fake-aws.ts';

const apiKey = createApiKey('staging');
const requests: string[] = [];
const origin = await serve(({ method, url, headers }, response) => {
  requests.push(`${method} ${url}`);
  switch (url) {
    case '/broken/inventory':
      return response.writeHead(503).end();
    case '/moved/inventory':
      return response.writeHead(302, { Location: '/v1/inventory' }).end();
    case '/gone/inventory':
      return response.destroy();
    default:
      return response.writeHead(headers.authorization === `Bearer ${apiKey}` ? 200 : 401).end('[]');
  }
});
const baseUrl = `${origin}/v1`;
const ours = readFileSync('infra/stack-policy.json', 'utf8');
const name = 'staging-petstore-inventory';

interface Stage {
  /** What the release is told. */
  given?: { PETSTORE_BASE_URL?: string; PETSTORE_API_KEY?: string };
  outputs?: Record<string, string>;
  policy?: string;
}

/** Checks staging, which is deployed as it should be but for what is given. */
const check = async ({ given = {}, outputs = { BaseUrl: baseUrl }, policy = ours }: Stage) => {
  requests.length = 0;
  const { environment } = await fakeAws({ [name]: { outputs, policy } });
  Object.assign(process.env, environment);
  return checkStage('staging', { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey, ...given });
};

test('a stage to which a release may deploy is named, with the commit that it runs', async () => {
  expect(await check({ outputs: { BaseUrl: baseUrl, Commit: '1234abcd' } })).toBe(
    `arn:aws:cloudformation:us-east-1:111122223333:stack/${name}/1\n` +
      'runs commit 1234abcd. To roll back, see docs/runbook.md#roll-back.',
  );
  expect(requests).toStrictEqual(['GET /v1/inventory']);
});

const [allow, deny] = JSON.parse(ours).Statement;
const reordered = [Object.fromEntries(Object.entries(allow).toReversed()), deny];

test.each<{ what: string } & Stage>([
  { what: 'a final newline after the key', given: { PETSTORE_API_KEY: `${apiKey}\n` } },
  {
    what: 'a byte order mark and Bearer before the key',
    given: { PETSTORE_API_KEY: `\uFEFFBearer ${apiKey}\r\n` },
  },
  {
    what: 'a stack policy with its members in another order',
    policy: JSON.stringify({ Statement: reordered }),
  },
])('$what holds up no release', async (stage) => {
  expect(await check(stage)).toContain('runs commit unknown');
});

const noKey =
  "PETSTORE_API_KEY isn't a staging key: petstore_staging_ and 48 hex digits, " +
  'the last 8 of them a checksum.';
const setPolicy = `${name} does not have the stack policy in infra/stack-policy.json. \
Nothing was deployed.
To set it: aws cloudformation set-stack-policy --stack-name ${name} \
--stack-policy-body file://infra/stack-policy.json`;

/** The stage at another path of the service, as the release is told. */
const at = (path: string): Stage => ({
  given: { PETSTORE_BASE_URL: origin + path },
  outputs: { BaseUrl: origin + path },
});

test.each<{ what: string; error: string } & Stage>([
  {
    what: 'another base URL',
    given: { PETSTORE_BASE_URL: `${origin}/prod/v1` },
    error: `PETSTORE_BASE_URL is "${origin}/prod/v1", but ${name} serves ${baseUrl}.`,
  },
  {
    what: 'the key in place of the base URL',
    given: { PETSTORE_BASE_URL: apiKey },
    error: `PETSTORE_BASE_URL is "petstore_staging_…", but ${name} serves ${baseUrl}.`,
  },
  {
    what: 'a first deployment that is not finished',
    outputs: {},
    error: `PETSTORE_BASE_URL is "${baseUrl}", but ${name} serves nothing yet.`,
  },
  { what: 'no key', given: { PETSTORE_API_KEY: '' }, error: noKey },
  { what: 'a key of prod', given: { PETSTORE_API_KEY: createApiKey('prod') }, error: noKey },
  {
    what: 'a key that nobody issued',
    given: { PETSTORE_API_KEY: createApiKey('staging') },
    error: "staging doesn't know the key in PETSTORE_API_KEY, or it has expired or been revoked.",
  },
  {
    what: 'a service that fails',
    ...at('/broken'),
    error: `GET ${origin}/broken/inventory responded 503, not 200.`,
  },
  {
    what: 'a service that is elsewhere',
    ...at('/moved'),
    error: `GET ${origin}/moved/inventory responded 302, not 200.`,
  },
  {
    what: 'a service that does not answer',
    ...at('/gone'),
    error: `GET ${origin}/gone/inventory failed: socket hang up`,
  },
  { what: 'no stack policy', policy: '', error: setPolicy },
  {
    what: 'a stack policy that allows everything',
    policy: JSON.stringify({ Statement: [allow] }),
    error: setPolicy,
  },
])('with $what, a release stops', async ({ error, ...stage }) => {
  await expect(check(stage)).rejects.toMatchObject({ name: 'CliError', message: error });
});
