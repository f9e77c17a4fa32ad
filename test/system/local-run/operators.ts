// What clients and operators do with a local run.
import { expect, test } from '@jest/globals';
import { awsAround } from '../../support/ops/fake-aws.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { acceptance, changesAnEntry, entriesOf, variablesOf } from '../acceptance/acceptance.ts';
import { run } from './run.ts';

const { environment } = await awsAround(run.tables);

test('the local run keeps the contract, and every quantity is set back', async () => {
  const before = await entriesOf(run);
  const { code, failed, passed, errors } = await acceptance(variablesOf(run));
  expect({ code, failed }).toStrictEqual({ code: 0, failed: [] });
  expect(passed).toContain(changesAnEntry);
  // Each check has a name of its own, without placeholders that Jest could not fill in.
  expect(new Set(passed).size).toBe(passed.length);
  expect(passed.filter((title) => /\$\w|%[a-z]/.test(title))).toStrictEqual([]);
  const announced = `Checking ${run.baseUrl} against the contract, whole, with a key that can write.`;
  expect(errors.split('\n')[0]).toBe(announced);
  expect(await entriesOf(run)).toStrictEqual(before);
});

/** The local run as such, and as a stage that is deployed in AWS. */
const targets = [
  { target: ['--local', '--port', new URL(run.baseUrl).port] },
  { target: ['--stage', 'staging'] },
];

/** Runs a command, which must succeed, and returns the JSON that it prints. */
const resultOf = async (words: string[]) => {
  const { code, output, errors } = await petstore([...words, '--json'], { env: environment });
  expect({ code, errors }).toStrictEqual({ code: 0, errors: expect.any(String) });
  return output;
};

const statusFor = async (key: string) => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await run.send({ path: '/inventory', headers })).status;
};

test.each(targets)('inventory export $target has what the service lists', async ({ target }) => {
  const exported = await resultOf(['inventory', 'export', ...target]);
  expect(exported.match(/\{.*?\}/g)?.toSorted()).toStrictEqual(await entriesOf(run));
  expect(exported).toContain('{');
});

test.each(targets)('a key issued with $target works at once', async ({ target }) => {
  const { key } = JSON.parse(await resultOf(['keys', 'create', '--name', 'shop', ...target]));
  expect(await statusFor(key)).toBe(200);
});

test.each(targets)(
  'a key issued with $target that may only read gets a 403 for an update',
  async ({ target }) => {
    const words = ['keys', 'create', '--name', 'reader', '--read-only', ...target];
    const { key } = JSON.parse(await resultOf(words));
    expect(await statusFor(key)).toBe(200);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const message = { method: 'PATCH', path: '/inventory/1', headers, body: '{"quantity":1}' };
    expect((await run.send(message)).status).toBe(403);
  },
);
