import { expect, test } from '@jest/globals';
import { serviceAt } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';
import { restoring } from './inventory.ts';

const entry = { petId: 7n, quantity: 3n, status: 'sold' };

test('the quantity of an entry is restored, although its check fails', async () => {
  const restored: string[] = [];
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    restored.push(`${request.method} ${request.url} ${body}`);
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
      .end('{"petId":7,"quantity":3,"status":"sold"}');
  });
  const service = serviceAt(`${url}/prod/v1`, 'key');
  const check = restoring(service, entry, () => Promise.reject(new Error('The check failed.')));
  await expect(check).rejects.toThrow('The check failed.');
  expect(restored).toEqual(['PATCH /prod/v1/inventory/7 {"quantity":3}']);
});
