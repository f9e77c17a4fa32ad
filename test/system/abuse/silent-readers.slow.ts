import { expect, test } from '@jest/globals';
import { scanEntries, startDynamodb } from '../../support/dynamodb.ts';
import { open } from '../../support/http-client.ts';
import { localRun } from '../../support/local-run.ts';

test('ten clients that do not read their lists of 31 MB keep nobody waiting, and leave nothing behind', async () => {
  const dynamodb = await startDynamodb();
  dynamodb.scan = scanEntries(500_000);
  const run = await localRun('--dynamodb', dynamodb.endpoint);
  const headers = { Authorization: `Bearer ${run.apiKey}` };
  const silent = await Promise.all(
    Array.from({ length: 10 }, () => open(run.baseUrl, { path: '/inventory', headers })),
  );

  const began = performance.now();
  expect([200, 500]).toContain((await run.send({ path: '/inventory' })).status);
  expect(performance.now() - began).toBeLessThan(10_000);
  // The other operation has instances of its own.
  const update = { method: 'PATCH', path: '/inventory/404', headers: { 'Content-Type': 'application/json' } };
  expect((await run.send({ ...update, body: '{"quantity":1}' })).status).toBe(404);

  for (const response of silent) {
    response.destroy();
  }
  // The functions go on to the end of their lists, as on AWS; until then, all instances may be busy.
  const left = performance.now();
  let status = 500;
  while (status === 500 && performance.now() - left < 120_000) {
    ({ status } = await run.send({ path: '/inventory' }));
  }
  expect(status).toBe(200);
  expect(run.log()).not.toMatch(/^\s+at |"Faults"|"level":"ERROR"/m);
  await run.stop();
  dynamodb.close();
});
