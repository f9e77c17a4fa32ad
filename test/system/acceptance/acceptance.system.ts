import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { apiKeyPattern, createApiKey } from '../../../functions/keys/api-key.ts';
import { startRun } from '../../support/local/local-run.ts';
import {
  acceptance,
  behindProxy,
  entriesOf,
  readOnlyKeyOf,
  variablesOf,
  wholeRunOnly,
} from './acceptance.ts';

const run = await startRun([]);

test('the local run keeps the contract, and every quantity is set back', async () => {
  const before = await entriesOf(run);
  const { code, failed, passed, errors } = await acceptance(variablesOf(run));
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(passed).toContain(wholeRunOnly);
  // Each check has a name of its own, without placeholders that Jest could not fill in.
  expect(new Set(passed).size).toBe(passed.length);
  expect(passed.filter((title) => /\$\w|%[a-z]/.test(title))).toStrictEqual([]);
  expect(errors).toMatch(
    `Checking ${run.baseUrl} against the contract, whole, with a key that may write.\n`,
  );
  expect(await entriesOf(run)).toStrictEqual(before);
});

test('the local run keeps the contract for a read-only key', async () => {
  const before = await entriesOf(run);
  const { code, failed, passed } = await acceptance({
    PETSTORE_BASE_URL: run.baseUrl,
    PETSTORE_API_KEY: await readOnlyKeyOf(run),
    KEY_ACCESS: 'read',
  });
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(passed).toContain('rejects an update that has nothing wrong with it');
  expect(passed).not.toContain(wholeRunOnly);
  expect(await entriesOf(run)).toStrictEqual(before);
});

test('with READ_ONLY, a run requests two lists, updates no entry, and can be repeated five times a minute', async () => {
  const sent: IncomingMessage[] = [];
  const baseUrl = await behindProxy(run, (request) => sent.push(request));
  const variables = { ...variablesOf(run), PETSTORE_BASE_URL: baseUrl, READ_ONLY: 'true' };
  const { code, failed } = await acceptance(variables);
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });

  const petIds = (await entriesOf(run)).map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1]);
  const updated = sent
    .filter(({ method }) => method === 'PATCH')
    .map(({ url }) => url?.split('/').at(-1));
  expect(updated.length).toBeGreaterThan(20);
  expect(updated.filter((petId) => petIds.includes(petId))).toStrictEqual([]);

  const lists = sent
    .filter(({ method, url }) => method === 'GET' && /\/v1\/inventory\/?(\?|$)/.test(url ?? ''))
    // All others are rejected, because their key is wrong.
    .filter(({ headers }) => headers.authorization?.endsWith(run.apiKey))
    .map(({ headers }) => headers['accept-encoding'] ?? 'any');
  expect(lists).toStrictEqual(['any', 'gzip']);

  const isWellFormed = new RegExp(`^bearer +${apiKeyPattern('staging')}$`, 'i');
  const withoutKey = sent.filter(({ headers }) => !isWellFormed.test(headers.authorization ?? ''));
  expect(withoutKey.length).toBeGreaterThan(50);
  // What the firewall of prod accepts from one address in a minute.
  expect(5 * withoutKey.length).toBeLessThanOrEqual(500);
});

test('a run that cannot check anything ends with one sentence', async () => {
  const local = variablesOf(run);
  // No program can listen on port 0.
  const nowhere = 'http://127.0.0.1:0/staging/v1';
  const runs = [
    { PETSTORE_BASE_URL: '' },
    { ...local, PETSTORE_API_KEY: createApiKey('staging') },
    { ...local, PETSTORE_BASE_URL: nowhere },
  ].map(async (variables) => {
    const { code, errors } = await acceptance(variables);
    return { code, errors };
  });
  expect(await Promise.all(runs)).toStrictEqual(
    [
      'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: ' +
        'it begins with https:// (on this machine, http:// will do) and ends in /v1.\n',
      `${run.baseUrl} rejects PETSTORE_API_KEY, a key of staging (401).\n`,
      `There is no response from ${nowhere}: connect ECONNREFUSED 127.0.0.1.\n`,
    ].map((errors) => ({ code: 1, errors })),
  );
});
