import { expect, test } from '@jest/globals';
import { scanEntries } from '../../support/dynamodb.ts';
import { open } from '../../support/http-client.ts';
import { faultyRun } from '../faults/faulty-run.ts';
import { responsesTo } from './raw.ts';

const run = await faultyRun();

test('100 requests that do not end keep nobody waiting, and are ended', async () => {
  /** One without an end to its headers, and one without an end to its body. */
  const beginnings = [
    'GET /staging/v1/inventory HTTP/1.1\r\nX: ',
    `PATCH /staging/v1/inventory/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${run.apiKey}\r\nContent-Length: 1000\r\n\r\n`,
  ];
  const ending = Promise.all(
    Array.from({ length: 100 }, (_, index) => responsesTo(run.baseUrl, beginnings[index % 2] ?? '', String(index))),
  );
  expect(await Promise.race([ending, run.send({ path: '/inventory' })])).toMatchObject({ status: 200 });
  expect((await ending).map(({ statuses }) => statuses)).toEqual(Array(100).fill([408]));
  expect(run.log()).not.toMatch(/^\s+at /m);
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
});

test('ten clients that do not read their lists of 31 MB keep nobody waiting, and leave nothing behind', async () => {
  const scan = scanEntries(500_000);
  run.inject({ on: 'Scan', what: ({ body, response }) => scan(body, response) });
  const list = { path: '/inventory', headers: { Authorization: `Bearer ${run.apiKey}` } };
  const silent = await Promise.all(Array.from({ length: 10 }, () => open(run.baseUrl, list)));

  const began = performance.now();
  expect([200, 500]).toContain((await run.send({ path: '/inventory' })).status);
  expect(performance.now() - began).toBeLessThan(10_000);
  // The other operation has instances of its own.
  expect((await run.patch(404, '{"quantity":1}')).status).toBe(404);

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
});
