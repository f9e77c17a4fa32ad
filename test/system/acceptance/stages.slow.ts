import { expect, test } from '@jest/globals';
import { sendRaw } from '../../support/http/raw-request.ts';
import { startRun } from '../../support/local/local-run.ts';
import { ctrlC, onTerminal } from '../../support/process/terminal.ts';
import { ended, project } from '../../support/process/tools.ts';
import {
  acceptance,
  behindProxy,
  entriesOf,
  petstore,
  variablesOf,
  wholeRunOnly,
} from './acceptance.ts';

const run = await startRun([]);

test('a key of prod only reads, unless a variable allows more', async () => {
  const prod = await startRun(['--stage', 'prod']);
  const before = await entriesOf(prod);
  const reading = await acceptance({ ...variablesOf(prod), READ_ONLY: 'false' });
  expect({ code: reading.code, failed: reading.failed }).toStrictEqual({ code: 0, failed: [] });
  expect(reading.passed).not.toContain(wholeRunOnly);
  expect(reading.errors).toMatch(
    'With a key of prod, nothing is changed unless ACCEPTANCE_MAY_WRITE_TO_PROD is yes.\n',
  );
  const allowed = { ...variablesOf(prod), ACCEPTANCE_MAY_WRITE_TO_PROD: 'yes' };
  const writing = await acceptance(allowed);
  expect({ code: writing.code, failed: writing.failed }).toStrictEqual({ code: 0, failed: [] });
  expect(writing.passed).toContain(wholeRunOnly);
  expect(await entriesOf(prod)).toStrictEqual(before);
});

test('an empty inventory fails every check that needs an entry, and says so', async () => {
  const empty = await startRun([]);
  const petIds = (await entriesOf(empty)).map((entry) => /"petId":(-?\d+)/.exec(entry)?.[1] ?? '');
  for (const petId of petIds) {
    await petstore(empty, ['inventory', 'remove'], '--', petId);
  }
  const { code, failed, passed, errors } = await acceptance(variablesOf(empty));
  expect(code).toBe(1);
  expect(failed).toContain(wholeRunOnly);
  expect(failed).toContain('lists each petId once, as an int64');
  expect(passed).toContain('rejects an update whose quantity is negative');
  const sentence =
    'The list is empty, so this was not checked. Import an entry (petstore inventory import), ' +
    'and run the checks again.';
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
