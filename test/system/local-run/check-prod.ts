// The check of prod from outside runs as GitHub runs it, against the local run.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { ended } from '../../support/process/tools.ts';
import { readOnlyKeyOf } from '../acceptance/acceptance.ts';
import { run } from './run.ts';

const { jobs } = parse(readFileSync('.github/workflows/check-prod.yml', 'utf8'));
const [{ run: script }] = jobs.check.steps;

/**
 * Runs the step, with shorter pauses before it asks again, as it does after a 429. Returns its exit
 * code and what it prints.
 */
const check = async (apiKey: string, baseUrl = run.baseUrl) => {
  const child = spawn('bash', ['-e', '-c', script.replace('--retry-delay 20', '--retry-delay 1')], {
    env: { ...process.env, PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, output, errors } = await ended(child);
  return { code, printed: output + errors };
};

test('passes with a read-only key', async () => {
  expect(await check(await readOnlyKeyOf(run))).toMatchObject({ code: 0 });
});

test.each([
  { what: 'an unknown key', apiKey: createApiKey('staging'), printed: '"code":"unauthorized"' },
  { what: 'no key', apiKey: '', printed: '"code":"unauthorized"' },
  { what: 'a wrong base URL', path: '/v2', printed: '"code":"path_not_found"' },
])('fails with $what, and shows the answer', async ({ apiKey, path, printed }) => {
  const key = apiKey ?? (await readOnlyKeyOf(run));
  const baseUrl = path === undefined ? run.baseUrl : run.baseUrl.replace('/v1', path);
  expect(await check(key, baseUrl)).toStrictEqual({
    code: 1,
    printed: expect.stringContaining(printed),
  });
});

test('fails where nothing answers, and says so', async () => {
  const { code, printed } = await check(run.apiKey, 'http://127.0.0.1:1/staging/v1');
  expect(code).not.toBe(0);
  expect(printed).toContain('127.0.0.1');
});

test('fails with a key that may write, with an update that is never applied', async () => {
  expect(await check(run.apiKey)).toStrictEqual({
    code: 1,
    printed: expect.stringContaining('"code":"invalid_quantity"'),
  });
});
