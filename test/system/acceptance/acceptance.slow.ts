import { expect, test } from '@jest/globals';
import { apiKeyPattern, createApiKey } from '../../../functions/keys/api-key.ts';
import { startRun } from '../../support/local/local-run.ts';
import { ctrlC, onTerminal } from '../../support/process/terminal.ts';
import { ended, project } from '../../support/process/tools.ts';
import {
  acceptance,
  changesAnEntry,
  type Difference,
  entriesOf,
  fail,
  onlyOnce,
  type Received,
  readOnlyKeyOf,
  serveWith,
  variablesOf,
} from './acceptance.ts';

const run = await startRun([]);
const prod = await startRun(['--stage', 'prod']);

test('the local run keeps the contract for a read-only key', async () => {
  const before = await entriesOf(run);
  const { code, failed, passed } = await acceptance({
    PETSTORE_BASE_URL: run.baseUrl,
    PETSTORE_API_KEY: await readOnlyKeyOf(run),
    KEY_ACCESS: 'read',
  });
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(passed).toContain(
    'PATCH /inventory/{petId} with a read-only key rejects an update that has nothing wrong with it',
  );
  expect(passed).not.toContain(changesAnEntry);
  expect(await entriesOf(run)).toStrictEqual(before);
});

test('a run with a read-only key of prod passes', async () => {
  const { code, failed } = await acceptance({
    PETSTORE_BASE_URL: prod.baseUrl,
    PETSTORE_API_KEY: await readOnlyKeyOf(prod),
    READ_ONLY: 'true',
    KEY_ACCESS: 'read',
  });
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
});

test('with a key of prod, a run requests one list, updates no entry, and can be repeated five times a minute', async () => {
  const sent: Received[] = [];
  const baseUrl = await serveWith(prod, [{ request: (received) => sent.push(received) }]);
  const variables = { ...variablesOf(prod), PETSTORE_BASE_URL: baseUrl, READ_ONLY: 'false' };
  const { code, failed, errors } = await acceptance(variables);
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(errors.split('\n').slice(0, 2)).toStrictEqual([
    `Checking ${baseUrl} against the contract, only with requests that change nothing, with a key that can write.`,
    'With a prod key, nothing is changed unless ACCEPTANCE_MAY_WRITE_TO_PROD is yes.',
  ]);

  const petIds = (await entriesOf(prod)).map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1]);
  const updated = sent
    .filter(({ method }) => method === 'PATCH')
    .map(({ path }) => path.split('/').at(-1));
  expect(updated.length).toBeGreaterThan(20);
  expect(updated.filter((petId) => petIds.includes(petId))).toStrictEqual([]);

  // All other lists are rejected, because their key is wrong.
  const lists = sent.filter(
    ({ method, path, headers }) =>
      method === 'GET' &&
      /\/v1\/inventory\/?(\?|$)/.test(path) &&
      headers.authorization?.endsWith(prod.apiKey),
  );
  expect(lists).toHaveLength(1);

  const isWellFormed = new RegExp(`^bearer +${apiKeyPattern('prod')}$`, 'i');
  const withoutKey = sent.filter(({ headers }) => !isWellFormed.test(headers.authorization ?? ''));
  expect(withoutKey.length).toBeGreaterThan(40);
  // What the firewall of prod accepts from one address in a minute.
  expect(5 * withoutKey.length).toBeLessThanOrEqual(500);
});

test.each([
  {
    what: 'no base URL',
    variables: { PETSTORE_BASE_URL: '' },
    says:
      'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: ' +
      'it begins with https:// (on this machine, http:// will do) and ends in /v1.',
  },
  {
    what: 'a key that nobody has issued',
    variables: { PETSTORE_API_KEY: createApiKey('staging') },
    says: `GET ${run.baseUrl}/inventory responded 401 {"code":"unauthorized",`,
  },
  {
    what: 'a service that is not there',
    variables: { PETSTORE_BASE_URL: 'http://localhost:1/v1' },
    says: 'ECONNREFUSED',
  },
  {
    what: 'a service without entries',
    variables: {
      PETSTORE_BASE_URL: await serveWith(run, [
        {
          response: (response) => {
            response.text = '[]';
          },
        },
      ]),
    },
    says:
      'The list is empty, so nothing was checked. Import an entry (petstore inventory import), ' +
      'and run the checks again.',
  },
])('a run with $what ends before its checks, and says why', async ({ variables, says }) => {
  const { code, passed, failed, errors } = await acceptance({ ...variablesOf(run), ...variables });
  expect({ code, passed, failed }).toStrictEqual({ code: 1, passed: [], failed: [] });
  expect(errors).toContain(says);
  expect(errors).not.toMatch(/petstore_staging_|^ +at /m);
});

/** Failures that another client or the deployment may cause, each of them once. */
const passing: Difference[] = [
  onlyOnce(
    ({ path }) => path.endsWith('/inventory/'),
    (response) => {
      fail(response, 503, 'service_unavailable');
      response.headers['retry-after'] = '1';
    },
  ),
  onlyOnce(
    ({ path }) => path.includes('limit=1'),
    (response) => fail(response, 404, 'path_not_found'),
  ),
  onlyOnce(
    ({ path }) => path.endsWith('/pets/1'),
    (response) => {
      response.status = 403;
      response.headers['x-amzn-errortype'] = 'MissingAuthenticationTokenException';
      response.text = '{"message":"Missing Authentication Token"}';
    },
  ),
  onlyOnce(
    ({ path }) => path.endsWith('/abc'),
    (response) => {
      fail(response, 429, 'too_many_requests');
      response.headers['retry-after'] = '1';
    },
  ),
  // Setting back is applied, but its response is lost.
  onlyOnce(
    ({ path, body, headers }) =>
      /\/-922\d+$/.test(path) && body === '{"quantity":1}' && headers['if-match'] !== '"00-sold"',
    (response) => {
      response.status = 0;
    },
  ),
  // Between an update and the look at it, another client sets 11.
  onlyOnce(
    ({ path, headers }) => /\/922\d+$/.test(path) && headers['if-match'] === undefined,
    () => run.patch('9223372036854775807', '{"quantity":11}'),
  ),
];

test('what another client or the deployment may cause fails no check, and others keep what they have written', async () => {
  const before = await entriesOf(run);
  const baseUrl = await serveWith(run, passing);
  const variables = { ...variablesOf(run), PETSTORE_BASE_URL: baseUrl };
  const { code, failed, errors } = await acceptance(variables);
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(errors.match(/^.*(?= passed when it was repeated\.$)/gm)).toStrictEqual([
    'GET /inventory lists the same entries at /inventory/ with {}',
    'GET /inventory lists the same entries at /inventory?limit=1&petId=abc with {}',
    'PATCH /inventory/{petId} sets the quantity of the largest petId, percent-encoded or not, and the list has it',
    'where there is no operation, with or without a key GET /v1/pets/1 is a 404',
  ]);
  const changed = before.map((entry) =>
    entry.replace(/(?<="petId":9223372036854775807,"quantity":)\d+/, '11'),
  );
  expect(await entriesOf(run)).toStrictEqual(changed);
});

test('after Ctrl-C, the checks go on to their end', async () => {
  const before = await entriesOf(run);
  const interrupting = onlyOnce(
    ({ method }) => method === 'PATCH',
    () => child.stdin.write(ctrlC),
  );
  const baseUrl = await serveWith(run, [interrupting]);
  const variables = { ...variablesOf(run), PETSTORE_BASE_URL: baseUrl };
  const child = onTerminal(['npm', 'run', '--silent', 'acceptance'], {
    cwd: project,
    env: { ...process.env, ...variables, TERM: 'dumb' },
  });
  // The exit code is npm's own, which says that it was interrupted.
  const { output } = await ended(child);
  expect(output).toMatch(
    /The checks go on to their end, so that all quantities are set back\.\r?\n/,
  );
  expect(output).toMatch(/^Tests: +\d+ skipped, \d+ passed, \d+ total\r?$/m);
  expect(await entriesOf(run)).toStrictEqual(before);
});
