// What clients and operators do with a local run.
import { expect, test } from '@jest/globals';
import { awsAround } from '../../support/ops/fake-aws.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { run } from './run.ts';

const { environment } = await awsAround(run.tables);

/** Returns what the service lists, sorted. */
const entries = async (): Promise<string[]> => {
  const { text } = await run.send({ path: '/inventory' });
  return text.match(/\{.*?\}/g)?.toSorted() ?? [];
};

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
  expect(exported.match(/\{.*?\}/g)?.toSorted()).toStrictEqual(await entries());
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
