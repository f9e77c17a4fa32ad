import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { apiKeyPattern, createApiKey } from '../../../functions/keys/api-key.ts';
import { open, sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { ctrlC, onTerminal } from '../../support/process/terminal.ts';
import { ended, project } from '../../support/process/tools.ts';
import { acceptance, type LocalRun, petstore, readOnlyKeyOf, startLocalRun } from './acceptance.ts';

const run = await startLocalRun();

const variablesOf = ({ baseUrl, apiKey }: LocalRun) => ({
  PETSTORE_BASE_URL: baseUrl,
  PETSTORE_API_KEY: apiKey,
});

/** Returns the entries of a local run as it lists them, sorted. */
const entriesOf = async ({ baseUrl, apiKey }: LocalRun): Promise<string[]> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const { text } = await sendRaw(baseUrl, { path: '/inventory', headers });
  return text.match(/\{.*?\}/g)?.toSorted() ?? [];
};

type Requested = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** Serves a local run behind a proxy, which tells of each request when its response has come. */
const behindProxy = async (
  { baseUrl }: LocalRun,
  onResponse: (request: Requested, status: number | undefined) => unknown,
): Promise<string> => {
  const { origin, pathname } = new URL(baseUrl);
  const url = await serve(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    const message = { method, path, headers: headers as Record<string, string> };
    const answer = await open(origin, { ...message, ...(body.length > 0 && { body }) });
    await onResponse(request, answer.statusCode);
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  });
  return url + pathname;
};

const whole =
  'sets the quantity of the smallest petId, percent-encoded or not, and the list has it';
const readOnlyKeyRejected = 'rejects an update that has nothing wrong with it';

test('the local run keeps the contract, and every quantity is set back', async () => {
  const before = await entriesOf(run);
  const { code, failed, passed, errors } = await acceptance(variablesOf(run));
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(passed).toContain(whole);
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
  expect(passed).toContain(readOnlyKeyRejected);
  expect(passed).not.toContain(whole);
  expect(await entriesOf(run)).toStrictEqual(before);
});

test('a key that may write fails a run that is told of a read-only one, and changes nothing', async () => {
  const before = await entriesOf(run);
  const { code, failed } = await acceptance({ ...variablesOf(run), KEY_ACCESS: 'read' });
  expect(code).toBe(1);
  expect(failed).toContain(readOnlyKeyRejected);
  expect(await entriesOf(run)).toStrictEqual(before);
});

describe('with READ_ONLY', () => {
  test('requests two lists, updates no entry, and can be repeated five times a minute', async () => {
    const sent: Requested[] = [];
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
    const withoutKey = sent.filter(
      ({ headers }) => !isWellFormed.test(headers.authorization ?? ''),
    );
    expect(withoutKey.length).toBeGreaterThan(50);
    // What the firewall of prod accepts from one address in a minute.
    expect(5 * withoutKey.length).toBeLessThanOrEqual(500);
  });
});

test('a key of prod only reads, unless a variable allows more', async () => {
  const prod = await startLocalRun('--stage', 'prod');
  const before = await entriesOf(prod);
  const reading = await acceptance({ ...variablesOf(prod), READ_ONLY: 'false' });
  expect({ code: reading.code, failed: reading.failed }).toStrictEqual({ code: 0, failed: [] });
  expect(reading.passed).not.toContain(whole);
  expect(reading.errors).toMatch(
    'With a key of prod, nothing is changed unless ACCEPTANCE_MAY_WRITE_TO_PROD is yes.\n',
  );
  const allowed = { ...variablesOf(prod), ACCEPTANCE_MAY_WRITE_TO_PROD: 'yes' };
  const writing = await acceptance(allowed);
  expect({ code: writing.code, failed: writing.failed }).toStrictEqual({ code: 0, failed: [] });
  expect(writing.passed).toContain(whole);
  expect(await entriesOf(prod)).toStrictEqual(before);
});

test('an empty inventory fails every check that needs an entry, and says so', async () => {
  const empty = await startLocalRun();
  const petIds = (await entriesOf(empty)).map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1] ?? '');
  for (const petId of petIds) {
    await petstore(empty, ['inventory', 'remove'], '--', petId);
  }
  const { code, failed, passed, errors } = await acceptance(variablesOf(empty));
  expect(code).toBe(1);
  expect(failed).toContain(whole);
  expect(failed).toContain('lists each petId once, as an int64');
  expect(passed).toContain('rejects an update whose quantity is negative');
  const sentence =
    'The list is empty, so this was not checked. Create an entry (petstore inventory set), and ' +
    'run the checks again.';
  expect(errors.split(sentence).length - 1).toBe(failed.length);
});

test('other clients may write at the same time, and keep what they have written', async () => {
  const before = await entriesOf(run);
  let applied = 0;
  const baseUrl = await behindProxy(run, async ({ method, url = '' }, status) => {
    applied += method === 'PATCH' && status === 200 ? 1 : 0;
    if (method === 'PATCH' && status === 200 && applied % 7 === 0) {
      const { origin } = new URL(run.baseUrl);
      const headers = {
        Authorization: `Bearer ${run.apiKey}`,
        'Content-Type': 'application/json',
      };
      await sendRaw(origin, { method, path: url, headers, body: '{"quantity":11}' });
    }
  });
  const { code, failed } = await acceptance({ ...variablesOf(run), PETSTORE_BASE_URL: baseUrl });
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  const after = await entriesOf(run);
  const changed = after.filter((entry) => !before.includes(entry));
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.filter((entry) => !entry.includes('"quantity":11,'))).toStrictEqual([]);
});

test('after Ctrl-C, the checks go on to their end', async () => {
  const before = await entriesOf(run);
  let interrupt = () => {};
  const baseUrl = await behindProxy(run, ({ method }) => {
    if (method === 'PATCH') {
      interrupt();
    }
  });
  const variables = { ...variablesOf(run), PETSTORE_BASE_URL: baseUrl };
  const child = onTerminal(['npm', 'run', '--silent', 'acceptance'], {
    cwd: project,
    env: { ...process.env, ...variables, TERM: 'dumb' },
  });
  interrupt = () => {
    child.stdin.write(ctrlC);
    // A second Ctrl-C would end the run.
    interrupt = () => {};
  };
  // The exit code is npm's own, which says that it was interrupted.
  const { output } = await ended(child);
  expect(output).toMatch(
    /The checks go on to their end, so that all quantities are set back\.\r?\n/,
  );
  expect(output).toMatch(/^Tests: +\d+ passed, \d+ total\r?$/m);
  expect(await entriesOf(run)).toStrictEqual(before);
});

const unknownKey = createApiKey('staging');

test.each([
  {
    what: 'no variables',
    variables: { PETSTORE_BASE_URL: '' },
    message:
      'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: ' +
      'it begins with https:// (on this machine, http:// will do) and ends in /v1.',
  },
  {
    what: 'a wrong value',
    variables: { ...variablesOf(run), READ_ONLY: 'yes' },
    message: 'READ_ONLY must be false or true, or not be set.',
  },
  {
    what: 'a key that the service rejects',
    variables: { ...variablesOf(run), PETSTORE_API_KEY: unknownKey },
    message: `${run.baseUrl} rejects PETSTORE_API_KEY, a key of staging (401).`,
  },
  {
    what: 'no service',
    // No program can listen on port 0.
    variables: { ...variablesOf(run), PETSTORE_BASE_URL: 'http://127.0.0.1:0/staging/v1' },
    message:
      'There is no response from http://127.0.0.1:0/staging/v1: connect ECONNREFUSED 127.0.0.1.',
  },
])('with $what, a run ends with one sentence', async ({ variables, message }) => {
  const { code, errors } = await acceptance(variables);
  expect({ code, errors }).toStrictEqual({ code: 1, errors: `${message}\n` });
});
