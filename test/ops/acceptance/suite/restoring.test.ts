import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { serviceAt } from '../../../../ops/acceptance/suite/http-client.ts';
import { restoring } from '../../../../ops/acceptance/suite/inventory.ts';
import { serve } from '../../../support/http/serve.ts';

const item = { petId: 7n, quantity: 3n, status: 'sold' };

test('the quantity of an entry is restored, although its check fails', async () => {
  const received: unknown[] = [];
  const url = await serve(async (request, response) => {
    received.push({ method: request.method, url: request.url, body: await json(request) });
    response
      .writeHead(200, { 'Content-Type': 'application/json', ETag: '"3-sold"' })
      .end('{"petId":7,"quantity":3,"status":"sold"}');
  });
  const check = restoring(serviceAt(`${url}/prod/v1`, 'key'), item, () =>
    Promise.reject(new Error('The check failed.')),
  );
  await expect(check).rejects.toThrow('The check failed.');
  expect(received).toEqual([
    { method: 'PATCH', url: '/prod/v1/inventory/7', body: { quantity: 3 } },
  ]);
});
