import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { apiKeyPattern } from '../../functions/keys/api-key.ts';
import { sendRaw } from '../support/http-client.ts';
import { localRun } from '../support/local-run.ts';
import { type OpsOptions, ops } from '../support/ops.ts';
import { serve } from '../support/serve.ts';
import { stackOf } from '../support/synthesized.ts';
import { requestsWithoutKey } from '../system/acceptance/api-key.ts';

const wellFormed = new RegExp(`^bearer +${apiKeyPattern('staging')}$`, 'i');

interface Exchange {
  method: string;
  path: string;
  authorization: string;
  status: number;
  text: string;
}

const run = await localRun();

/** Its happy path is in release.test.ts. */
describe('petstore acceptance', () => {
  /** A proxy before the run: its base URL, and what has gone through it. Each response has the text that `bend` makes. */
  const proxy = async (bend: (exchange: Exchange) => string) => {
    const exchanges: Exchange[] = [];
    const { origin, pathname } = new URL(run.baseUrl);
    const url = await serve(async (message, response) => {
      const { method = '', url: path = '' } = message;
      const headers = message.headers as Record<string, string>;
      const sent = { method, path, headers, body: await buffer(message) };
      const { status, text, headers: received } = await sendRaw(origin, sent);
      const exchange = { method, path, authorization: headers.authorization ?? '', status, text };
      exchanges.push(exchange);
      for (const name of ['content-type', 'www-authenticate', 'allow']) {
        response.setHeader(name, received[name] ?? []);
      }
      response.writeHead(status).end(bend(exchange));
    });
    return { baseUrl: url + pathname, exchanges };
  };

  const list = async () => new Set((await run.send({ path: '/inventory' })).text.slice(1, -1).split(/(?<=}),/));
  const acceptance = async (baseUrl: string, options: string[] = [], settings: OpsOptions = {}) => {
    const before = await list();
    const ended = await ops(['acceptance', '--base-url', baseUrl, '--api-key', run.apiKey, ...options], settings);
    expect(await list()).toEqual(before);
    expect(ended.output + ended.errors).not.toContain(run.apiKey);
    return ended;
  };

  const repeatKey = ({ status, authorization, text }: Exchange) =>
    status === 404 ? JSON.stringify({ authorization }) : text;

  test('sends nothing with --read-only that a service would apply, and reports in JSON', async () => {
    const { baseUrl, exchanges } = await proxy(repeatKey);
    const { code, output, errors } = await acceptance(`${baseUrl}/`, ['--read-only', '--json']);

    const patch = 'PATCH /inventory/{petId}';
    const message = expect.stringContaining('Bearer <API_KEY>');
    expect(JSON.parse(output)).toEqual(
      expect.arrayContaining([
        { check: `${patch} of an entry takes the quantity 0`, outcome: 'skipped' },
        { check: `${patch} rejects the body []`, outcome: 'passed' },
        { check: `${patch} reads application/json, and creates no entry`, outcome: 'failed', message },
      ]),
    );
    const error = { code: 'failed', message: `${baseUrl} differs from the contract.`, hint: null };
    expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '')).toEqual({ error });
    expect(code).toBe(8);

    const petIds = [...(await list())].map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1] ?? '');
    const patches = exchanges.filter(({ method }) => method === 'PATCH');
    expect(petIds).toHaveLength(7);
    expect(patches.length).toBeGreaterThan(50);
    expect(patches.filter(({ path }) => petIds.includes(path.split('/').at(-1) ?? ''))).toEqual([]);
    const withoutKey = exchanges.filter(({ authorization }) => !wellFormed.test(authorization));
    expect(withoutKey).toHaveLength(requestsWithoutKey);
  });

  test('speaks TLS to an https URL', async () => {
    const origin = await serve((_request, response) => response.end());
    await expect(sendRaw(origin.replace('http', 'https'), { path: '/' })).rejects.toMatchObject({ code: 'EPROTO' });
  });

  test('could run five times a minute from one address before the firewall of prod rejects it', () => {
    const [{ Rules } = {}] = stackOf('prod').all('AWS::WAFv2::WebACL');
    const { Limit, ScopeDownStatement } = Rules[0].Statement.RateBasedStatement;
    expect(ScopeDownStatement).toHaveProperty('NotStatement');
    expect(Limit).toBeGreaterThanOrEqual(5 * requestsWithoutKey);
  });

  test('says where a service differs, and leaves the data as it was then too, though it is interrupted', async () => {
    const interruption = new AbortController();
    const { baseUrl } = await proxy((exchange) => {
      if (exchange.method !== 'PATCH' || exchange.status !== 200) {
        return repeatKey(exchange);
      }
      interruption.abort();
      return exchange.text.replace('{', '{"extra":1,');
    });
    const { code, output, errors } = await acceptance(baseUrl, [], { signal: interruption.signal });

    const stopping = 'Stopping once all quantities are restored.';
    expect(errors).toBe(`${stopping}\npetstore: ${baseUrl} differs from the contract.\n`);
    expect(code).toBe(8);
    expect(output).toContain('✕ takes the quantity 0');
    expect(output).toContain('must NOT have additional properties');
    expect(output).toContain('✓ rejects the body []');
    expect(output).toContain('Bearer <API_KEY>');
  });

  const help = '\nHelp: npx petstore acceptance --help';
  const noUrl = (url: string) =>
    `option '--base-url <url>' argument '${url}' is invalid. It must be an http or https URL that ends in /v1.${help}`;
  const noKey = 'An API key is needed: --api-key, or the environment variable ACCEPTANCE_API_KEY.';
  const closed = 'http://127.0.0.1:59/v1';
  test.each([
    ['', 2, `required option '--base-url <url>' not specified${help}`],
    ['--base-url a/v1', 2, noUrl('a/v1')],
    ['--base-url http://a/prod', 2, noUrl('http://a/prod')],
    [`--base-url ${closed}`, 2, noKey],
    [`--base-url ${closed} --api-key é`, 2, noKey],
    [`--base-url ${closed} --api-key x`, 6, `No response from ${closed}/inventory: connect ECONNREFUSED 127.0.0.1:59`],
  ])('rejects %s', async (options, code, reason) => {
    const words = ['acceptance', ...options.split(' ').filter(Boolean)];
    expect(await ops(words)).toEqual({ code, output: '', errors: `petstore: ${reason}\n` });
  });

  test('says that the stage rejects the key, or that it is no inventory at all', async () => {
    const env = { ACCEPTANCE_API_KEY: 'petstore_staging_of_another_time', PETSTORE_STAGE: 'local' };
    const rejected = await ops(['acceptance', '--base-url', run.baseUrl], { env });
    const rejection = `petstore: ${run.baseUrl} rejects the API key (401). Is it a key of this stage?\n`;
    expect(rejected).toEqual({ code: 6, output: '', errors: rejection });

    const elsewhere = run.baseUrl.replace('/staging/', '/prod/');
    const message = `petstore: GET ${elsewhere}/inventory returned 403 instead of 200: {"message":"Forbidden"}\n`;
    expect(await acceptance(elsewhere)).toEqual({ code: 8, output: '', errors: message });
  });
});
