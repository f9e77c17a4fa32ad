import { expect, test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';
import { awsAround } from '../../support/ops/fake-aws.ts';
import { petstore } from '../../support/ops/petstore.ts';

const run = await localRun();
const { environment } = await awsAround(run);
// For the whole file, because two commands run at once.
Object.assign(process.env, environment);

/** The local run as such, and as a stage that is deployed in AWS. */
const targets = [
  { target: ['--local', '--port', new URL(run.baseUrl).port] },
  { target: ['--stage', 'staging'] },
];

const statusFor = async (key: string) => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await run.send({ path: '/inventory', headers })).status;
};

/** Runs a command with JSON output, which must succeed. */
const resultOf = async (words: string[]) => {
  const { code, output, errors } = await petstore([...words, '--json']);
  if (code !== 0) {
    throw new Error(errors);
  }
  return JSON.parse(output);
};

test.each(targets)('inventory export $target has what the service lists', async ({ target }) => {
  const items = (text: string) => text.match(/\{.*?\}/g)?.sort();
  const listed = await run.send({ path: '/inventory' });
  const { output } = await petstore(['inventory', 'export', '--json', ...target]);
  expect(items(output)).toStrictEqual(items(listed.text));
  expect(items(output)).toHaveLength(7);
});

test('a key works at once, and no more after it is revoked with --now, here and in AWS', async () => {
  const live = async (target: string[]) => {
    const { id, key } = await resultOf(['keys', 'create', '--name', 'shop', ...target]);
    const before = await statusFor(key);
    await resultOf(['keys', 'revoke', id, '--now', '--yes', ...target]);
    return [before, await statusFor(key)];
  };
  // Each waits ten seconds for checks that were under way.
  const statuses = await Promise.all(targets.map(({ target }) => live(target)));
  expect(statuses).toStrictEqual([
    [200, 401],
    [200, 401],
  ]);
});

test.each(targets)(
  'a key issued with $target that may only read gets a 403 for an update',
  async ({ target }) => {
    const words = ['keys', 'create', '--name', 'reader', '--read-only', ...target];
    const { key } = await resultOf(words);
    expect(await statusFor(key)).toBe(200);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const message = { method: 'PATCH', path: '/inventory/1', headers, body: '{"quantity":1}' };
    expect(await run.send(message)).toMatchObject({ status: 403 });
  },
);
