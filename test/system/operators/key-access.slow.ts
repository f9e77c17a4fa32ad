import { expect, test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';
import { ops } from '../../support/ops/ops.ts';

const run = await localRun();

/** Runs `petstore acceptance …`, and returns the checks that failed, too. */
const acceptance = async (options: string[]) => {
  const ended = await ops(['acceptance', ...options]);
  return { ...ended, failed: ended.errors.match(/^ +✕ .*$/gm) ?? [] };
};

const entries = async (): Promise<string[]> =>
  (await run.send({ path: '/inventory' })).text
    .slice(1, -1)
    .split(/(?<=}),/)
    .toSorted();

test('with a read-only key of its own, the local run rejects every update', async () => {
  const before = await entries();
  const options = ['--local', '--key-access', 'read', '--json'];
  const { code, output, failed } = await acceptance(options);
  expect({ code, failed }).toEqual({ code: 0, failed: [] });
  expect(JSON.parse(output)).toEqual({
    baseUrl: run.baseUrl,
    keyAccess: 'read',
    readOnly: false,
    passed: true,
  });
  expect(await entries()).toEqual(before);

  // The key works for that time alone.
  const { output: listed } = await ops(['keys', 'list', '--local', '--json']);
  const keys: { name: string; state: string }[] = JSON.parse(listed);
  expect(keys.filter(({ name }) => name === 'petstore acceptance')).toMatchObject([
    { state: 'revoked' },
  ]);
});

test('a writing key fails a run that is told of a read-only one', async () => {
  const options = ['--key-access', 'read', '--read-only'];
  const { code, failed } = await acceptance([
    ...['--base-url', run.baseUrl, '--api-key', run.apiKey],
    ...options,
  ]);
  expect(code).toBe(8);
  expect(failed).toContainEqual(expect.stringMatching(/rejects an update that has nothing wrong/));
});
