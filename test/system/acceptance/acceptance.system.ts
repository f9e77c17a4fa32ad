import { expect, test } from '@jest/globals';
import { startRun } from '../../support/local/local-run.ts';
import { acceptance, changesAnEntry, entriesOf, variablesOf } from './acceptance.ts';

const run = await startRun([]);

test('the local run keeps the contract, and every quantity is set back', async () => {
  const before = await entriesOf(run);
  const { code, failed, passed, errors } = await acceptance(variablesOf(run));
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(passed).toContain(changesAnEntry);
  // Each check has a name of its own, without placeholders that Jest could not fill in.
  expect(new Set(passed).size).toBe(passed.length);
  expect(passed.filter((title) => /\$\w|%[a-z]/.test(title))).toStrictEqual([]);
  const announced = `Checking ${run.baseUrl} against the contract, whole, with a key that may write.`;
  expect(errors.split('\n')[0]).toBe(announced);
  expect(await entriesOf(run)).toStrictEqual(before);
});
