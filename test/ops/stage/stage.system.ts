import { afterEach, expect, jest, test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';
import { awsAround } from '../../support/ops/fake-aws.ts';
import { ops } from '../../support/ops/ops.ts';

const run = await localRun();
const aws = await awsAround(run);

afterEach(() => void jest.useRealTimers());

const targets = [['--local'], ['--stage', 'staging']];

test.each(targets)('inventory export %s %s has what the service lists', async (...target) => {
  const items = (text: string) => text.match(/\{.*?\}/g)?.sort();
  const listed = await run.send({ path: '/inventory' });
  const exported = await ops(['inventory', 'export', '--json', ...target], {
    env: aws.environment,
  });
  expect(items(exported.output)).toEqual(items(listed.text));
});

const statusFor = async (key: string) => {
  const headers = { Authorization: `Bearer ${key}` };
  return (await run.send({ path: '/inventory', headers })).status;
};

test.each(targets)('a key issued with %s %s works until revoked with --now', async (...target) => {
  const env = aws.environment;
  const issued = await ops(['keys', 'create', '--name', 'shop', '--json', ...target], { env });
  const { id, key } = JSON.parse(issued.output);
  expect(await statusFor(key)).toBe(200);

  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] });
  const untilChecksEnd = 10_000;
  const revoked = await ops(['keys', 'revoke', id, '--now', ...target], {
    env,
    when: { printed: /once more/, react: () => jest.advanceTimersByTime(untilChecksEnd) },
  });
  jest.useRealTimers();
  expect(revoked.output).toMatch(/ and has stopped working\.\n$/);
  expect(await statusFor(key)).toBe(401);
});
