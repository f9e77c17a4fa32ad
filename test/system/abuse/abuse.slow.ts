import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { scanEntries } from '../../support/dynamodb/dynamodb.ts';
import { checkList } from '../../support/dynamodb/synthetic-table.ts';
import { open } from '../../support/http/http-client.ts';
import { faultyRun } from '../faults/faulty-run.ts';
import { responsesTo } from './raw.ts';

const run = await faultyRun();
const openList = () =>
  open(run.baseUrl, { path: '/inventory', headers: { Authorization: `Bearer ${run.apiKey}` } });

test('100 requests that never end delay no other request, and get a 408', async () => {
  /** The beginnings of two requests: one whose headers never end, and one whose body never ends. */
  const beginnings = [
    'GET /staging/v1/inventory HTTP/1.1\r\nX: ',
    `PATCH /staging/v1/inventory/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${run.apiKey}\r\nContent-Length: 1000\r\n\r\n`,
  ];
  const ending = Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      responsesTo(run.baseUrl, beginnings[index % 2] ?? '', String(index)),
    ),
  );
  expect(await Promise.race([ending, run.send({ path: '/inventory' })])).toMatchObject({
    status: 200,
  });
  expect((await ending).map(({ statuses }) => statuses)).toEqual(Array(100).fill([408]));
  expect(run.log()).not.toMatch(/^\s+at /m);
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
});

test('clients that read their lists late, or not at all, delay no other request, and the late list is complete and exact', async () => {
  const end = run.inject({ on: 'Scan', what: scanEntries(500_000) });
  const lists = await Promise.all(Array.from({ length: 10 }, openList));
  let pages = -1;
  // Waits until the functions request no more pages, because the buffers of the sockets are full.
  while (pages !== run.count('Scan')) {
    pages = run.count('Scan');
    await sleep(3_000);
  }
  expect(pages).toBeLessThan(750);

  const began = performance.now();
  expect([200, 500]).toContain((await run.send({ path: '/inventory' })).status);
  expect(performance.now() - began).toBeLessThan(10_000);
  // Updates run on instances of their own.
  expect((await run.patch(404, '{"quantity":1}')).status).toBe(404);

  const [late, ...silent] = lists;
  checkList(await text(late as Readable), 500_000);
  for (const response of silent) {
    response.destroy();
  }
  // As on AWS, the functions read the abandoned lists to their end. Until then, all instances may
  // be busy.
  const left = performance.now();
  let status = 500;
  while (status === 500 && performance.now() - left < 120_000) {
    ({ status } = await run.send({ path: '/inventory' }));
  }
  expect(status).toBe(200);
  expect(run.log()).not.toMatch(/^\s+at |"Faults"|"level":"ERROR"/m);
  end();
});
