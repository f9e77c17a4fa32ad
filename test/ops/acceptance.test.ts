import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { apiKeyPattern } from '../../functions/keys/api-key.ts';
import { type HttpResponse, sendRaw } from '../support/http/http-client.ts';
import { serve } from '../support/http/serve.ts';
import { localRun } from '../support/local/local-run.ts';
import { type OpsOptions, ops } from '../support/ops/ops.ts';
import { stackOf } from '../support/stack/synthesized.ts';
import { requestsWithoutKey } from '../system/acceptance/api-key.ts';

const wellFormed = new RegExp(`^bearer +${apiKeyPattern('staging')}$`, 'i');

// release.test.ts tests the output for a service that keeps the contract.
const run = await localRun();

type Bend = (request: IncomingMessage, response: HttpResponse) => string;

const busy = { 'Content-Type': 'application/json', 'Retry-After': '1' };
const tooMany = '{"code":"too_many_requests","message":"Too many requests.","status":429}';

/**
 * Starts a proxy for the run. It rejects the first requests, and `bend` rewrites the bodies of
 * later responses.
 */
const proxy = async (bend: Bend, rejected = 0) => {
  const requests: IncomingMessage[] = [];
  const { origin, pathname } = new URL(run.baseUrl);
  const url = await serve(async (request, response) => {
    if (requests.push(request) <= rejected) {
      return response.writeHead(429, busy).end(tooMany);
    }
    const { method = '', url: path = '', headers } = request;
    const sent = {
      method,
      path,
      headers: headers as Record<string, string>,
      body: await buffer(request),
    };
    const received = await sendRaw(origin, sent);
    for (const name of ['content-type', 'www-authenticate', 'allow']) {
      response.setHeader(name, received.headers[name] ?? []);
    }
    response.writeHead(received.status).end(bend(request, received));
  });
  return { baseUrl: url + pathname, requests };
};

const list = async () =>
  new Set((await run.send({ path: '/inventory' })).text.slice(1, -1).split(/(?<=}),/));
const acceptance = async (baseUrl: string, options: string[] = [], settings: OpsOptions = {}) => {
  const before = await list();
  const ended = await ops(
    ['acceptance', '--base-url', baseUrl, '--api-key', run.apiKey, ...options],
    settings,
  );
  expect(await list()).toEqual(before);
  expect(ended.output + ended.errors).not.toContain(run.apiKey);
  return ended;
};

const repeatKey: Bend = ({ headers: { authorization } }, { status, text }) =>
  status === 404 ? JSON.stringify({ authorization }) : text;

test('acceptance sends no PATCH for an existing entry with --read-only, and reports in JSON with --json', async () => {
  const { baseUrl, requests } = await proxy(repeatKey);
  const { code, output, errors } = await acceptance(`${baseUrl}/`, ['--read-only', '--json']);

  const patch = 'PATCH /inventory/{petId}';
  const message = expect.stringContaining('Bearer <API_KEY>');
  expect(JSON.parse(output)).toEqual(
    expect.arrayContaining([
      { check: `${patch} of an existing entry accepts {"quantity":0}`, outcome: 'skipped' },
      { check: `${patch} rejects an update whose body is []`, outcome: 'passed' },
      {
        check: `${patch} accepts the Content-Type application/json, and creates no entry`,
        outcome: 'failed',
        message,
      },
    ]),
  );
  const error = { code: 'failed', message: `${baseUrl} differs from the contract.`, hint: null };
  expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '')).toEqual({ error });
  expect(code).toBe(8);

  const petIds = [...(await list())].map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1] ?? '');
  const patches = requests.filter(({ method }) => method === 'PATCH');
  expect(petIds).toHaveLength(7);
  expect(patches.length).toBeGreaterThan(50);
  expect(patches.filter(({ url }) => petIds.includes(url?.split('/').at(-1) ?? ''))).toEqual([]);
  const withoutKey = requests.filter(
    ({ headers }) => !wellFormed.test(headers.authorization ?? ''),
  );
  expect(withoutKey).toHaveLength(requestsWithoutKey);
});

test('sendRaw speaks TLS to an https URL', async () => {
  const origin = await serve((_request, response) => response.end());
  await expect(sendRaw(origin.replace('http', 'https'), { path: '/' })).rejects.toMatchObject({
    code: 'EPROTO',
  });
});

test('acceptance can run five times a minute from one address before the firewall of prod blocks that address', () => {
  const [{ Rules } = {}] = stackOf('prod').all('AWS::WAFv2::WebACL');
  const { Limit, ScopeDownStatement } = Rules[0].Statement.RateBasedStatement;
  expect(ScopeDownStatement).toHaveProperty('NotStatement');
  expect(Limit).toBeGreaterThanOrEqual(5 * requestsWithoutKey);
});

test('acceptance reports where a service differs from the contract, and restores the data even when interrupted', async () => {
  const interruption = new AbortController();
  const { baseUrl } = await proxy((request, response) => {
    if (request.method !== 'PATCH' || response.status !== 200) {
      return repeatKey(request, response);
    }
    interruption.abort();
    return response.text.replace('{', '{"extra":1,');
  }, 4);
  const { code, output, errors } = await acceptance(baseUrl, [], { signal: interruption.signal });

  const stopping = 'Stopping once all quantities are restored.';
  expect(errors).toBe(`${stopping}\npetstore: ${baseUrl} differs from the contract.\n`);
  expect(code).toBe(8);
  expect(output).toContain('✕ accepts {"quantity":0}');
  expect(output).toContain('must NOT have additional properties');
  expect(output).toContain('✓ rejects an update whose body is []');
  expect(output).toContain('Bearer <API_KEY>');
});

const closed = 'http://127.0.0.1:59/v1';
const ofProd = run.baseUrl.replace('/staging/', '/prod/');
test.each([
  [closed, 6, `No response from ${closed}/inventory: connect ECONNREFUSED 127.0.0.1:59`],
  [run.baseUrl, 6, `${run.baseUrl} rejects the API key (401). Is it a key of this stage?`],
  [ofProd, 8, `GET ${ofProd}/inventory returned 403 instead of 200: {"message":"Forbidden"}`],
])('acceptance says why it cannot check the service at %s', async (baseUrl, code, reason) => {
  const env = { ACCEPTANCE_API_KEY: 'petstore_staging_of_another_time' };
  const ended = await ops(['acceptance', '--base-url', baseUrl], { env });
  expect(ended).toEqual({ code, output: '', errors: `petstore: ${reason}\n` });
});

test('acceptance --local checks the local run, with a key that works only for that time', async () => {
  const { code, output } = await ops(['acceptance', '--local', '--read-only']);
  expect({ code, last: output.trimEnd().split('\n').at(-1) }).toEqual({
    code: 0,
    last: `${run.baseUrl} keeps the contract, as far as read-only requests can tell.`,
  });
  const { output: listed } = await ops(['keys', 'list', '--local', '--json']);
  const keys: { name: string; state: string }[] = JSON.parse(listed);
  const ofAcceptance = keys.filter(({ name }) => name === 'petstore acceptance');
  expect(ofAcceptance).toMatchObject([{ state: 'revoked' }]);
});

test('acceptance --local takes a key that is given', async () => {
  const wrong = ['acceptance', '--local', '--api-key', 'x'];
  const { code, errors } = await ops(wrong);
  expect({ code, errors }).toEqual({
    code: 6,
    errors: `petstore: ${run.baseUrl} rejects the API key (401). Is it a key of this stage?\n`,
  });
});
