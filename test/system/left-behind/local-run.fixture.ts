import { test } from '@jest/globals';
import { localRun } from '../../support/local/local-run.ts';

test('a test that does not end has a local run with an instance of a function', async () => {
  const run = await localRun();
  await run.send({ path: '/inventory' });
  process.stderr.write(`started ${run.process.pid}.\n`);
  await new Promise(() => setInterval(() => {}, 1_000));
});
