import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { sendRaw } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';
import { localRun } from '../../support/local/local-run.ts';
import { type OpsOptions, ops } from '../../support/ops/ops.ts';
import { withQuickSuite } from '../../support/ops/quick-suite.ts';

const apiKey = 'petstore_staging_given';
const run = await localRun();

/** Serves lists: the first one to the command, the others to the suite. */
const listing = async (ofSuite: (response: ServerResponse) => unknown) => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests += 1;
    requests === 1 ? response.end('[]') : ofSuite(response);
  });
  return `${url}/staging/v1`;
};

const working = () => listing((response) => response.end('[]'));
const failing = (body: string) => listing((response) => response.end(body));

const acceptance = async (
  baseUrl: string,
  options: string[] = [],
  { env, ...settings }: OpsOptions = {},
) => {
  const words = ['acceptance', '--base-url', baseUrl, '--api-key', apiKey, ...options];
  return ops(words, { env: { ...withQuickSuite(), ...env }, ...settings });
};

test('acceptance prints each check of a deployment that keeps the contract', async () => {
  const baseUrl = await working();
  const { code, output, errors } = await acceptance(baseUrl);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toMatch(/^ +✓ returns a list( \(\d+ ms\))?$/m);
  expect(output).toMatch(/^ +✓ changes an entry( \(\d+ ms\))?$/m);
  expect(output.endsWith(`\n${baseUrl} keeps the contract.\n`)).toBe(true);
});

test('acceptance says what a read-only run leaves out', async () => {
  const baseUrl = await working();
  const { output } = await acceptance(baseUrl, ['--read-only']);
  expect(output).toMatch(/^ +○ skipped changes an entry$/m);
  const extent = ', as far as read-only requests can tell.';
  expect(output.endsWith(`\n${baseUrl} keeps the contract${extent}\n`)).toBe(true);
});

test('acceptance reports where a deployment differs from the contract', async () => {
  const baseUrl = await failing('{}');
  const { code, output, errors } = await acceptance(baseUrl);
  expect(code).toBe(8);
  expect(errors).toBe(`petstore: ${baseUrl} differs from the contract.\n`);
  expect(output).toMatch(/^ +✕ returns a list( \(\d+ ms\))?$/m);
});

test('acceptance --json prints the checks as one value', async () => {
  const baseUrl = await failing('no list');
  const { code, output, errors } = await acceptance(baseUrl, ['--read-only', '--json']);
  expect(JSON.parse(output)).toEqual([
    {
      check: 'GET /inventory returns a list',
      outcome: 'failed',
      message: expect.stringContaining('Received string:  "no list"'),
    },
    { check: 'changes an entry', outcome: 'skipped' },
  ]);
  const error = { code: 'failed', message: `${baseUrl} differs from the contract.`, hint: null };
  expect(JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '')).toEqual({ error });
  expect(code).toBe(8);
});

test.each([[], ['--json']])(
  'acceptance shows no key that a service repeats (%s)',
  async (...more) => {
    const { output, errors } = await acceptance(await failing(`Bearer ${apiKey}`), more);
    expect(output + errors).toContain('Bearer <API_KEY>');
    expect(output + errors).not.toContain(apiKey);
  },
);

// C0, C1 (an escape sequence in one character) and a change of the direction of text.
const controls = '\u001b[2J \u009b2J \u202e';
const escaped = '\\u001b[2J \\u009b2J \\u202e';

test.each([[], ['--json']])(
  'acceptance escapes control characters of a service (%s)',
  async (...more) => {
    const { output, errors } = await acceptance(await failing(controls), more);
    expect(output + errors).toContain(escaped);
    for (const control of ['\u001b', '\u009b', '\u202e']) {
      expect(output + errors).not.toContain(control);
    }
  },
);

test('acceptance escapes what a service says that it cannot check', async () => {
  const url = await serve((_request, response) => response.writeHead(500).end(`a\nb ${controls}`));
  const baseUrl = `${url}/staging/v1`;
  const reason = `GET ${baseUrl}/inventory returned 500 instead of 200: a\\u000ab ${escaped}`;
  expect(await acceptance(baseUrl)).toEqual({
    code: 8,
    output: '',
    errors: `petstore: ${reason}\n`,
  });
});

test('the suite runs to its end after Ctrl-C: it may have quantities to restore', async () => {
  const interruption = new AbortController();
  const baseUrl = await listing((response) => {
    interruption.abort();
    response.end('[]');
  });
  const { output, errors } = await acceptance(baseUrl, [], { signal: interruption.signal });
  expect(errors).toBe('Stopping once all quantities are restored.\n');
  expect(output).toContain('✓ changes an entry');
});

const secrets = {
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'secret',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret',
  GITHUB_TOKEN: 'secret',
  PETSTORE_PROD_API_KEY: 'secret',
  PETSTORE_STAGING_API_KEY: 'secret',
};
test('the suite gets no credentials of AWS and GitHub, and no key but its own', async () => {
  const { output } = await acceptance(await working(), [], { env: { ...secrets, KEPT: 'yes' } });
  const [, variables = ''] = /^variables: (.*)$/m.exec(output) ?? [];
  const names = variables.split(' ');
  expect(names).toEqual(expect.arrayContaining(['KEPT', 'ACCEPTANCE_API_KEY']));
  expect(names.filter((name) => name in secrets)).toEqual([]);
});

const closed = 'http://127.0.0.1:59/staging/v1';
const ofProd = run.baseUrl.replace('/staging/', '/prod/');
test.each([
  {
    baseUrl: closed,
    code: 6,
    reason: `No response from ${closed}/inventory: connect ECONNREFUSED 127.0.0.1:59`,
  },
  {
    baseUrl: run.baseUrl,
    code: 6,
    reason: `${run.baseUrl} rejects the API key (401). Is it a key of this stage?`,
  },
  {
    baseUrl: ofProd,
    code: 8,
    reason: `GET ${ofProd}/inventory returned 403 instead of 200: {"message":"Forbidden"}`,
  },
])('acceptance says why it cannot check the service at $baseUrl', async (row) => {
  const env = { ACCEPTANCE_API_KEY: 'petstore_staging_of_another_time' };
  const ended = await ops(['acceptance', '--base-url', row.baseUrl], { env });
  expect(ended).toEqual({ code: row.code, output: '', errors: `petstore: ${row.reason}\n` });
});

test('acceptance --local checks the local run, with a key for that time alone', async () => {
  const { code, output } = await ops(['acceptance', '--local', '--read-only'], {
    env: withQuickSuite(),
  });
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
  const { code, errors } = await ops(['acceptance', '--local', '--api-key', 'x']);
  expect({ code, errors }).toEqual({
    code: 6,
    errors: `petstore: ${run.baseUrl} rejects the API key (401). Is it a key of this stage?\n`,
  });
});

test('sendRaw speaks TLS to an https URL', async () => {
  const origin = await serve((_request, response) => response.end());
  await expect(sendRaw(origin.replace('http', 'https'), { path: '/' })).rejects.toMatchObject({
    code: 'EPROTO',
  });
});
