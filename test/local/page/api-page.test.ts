import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiPage, isApiPage } from '../../../local/page/api-page.ts';
import { type HttpResponse, sendRaw } from '../../support/http-client.ts';

const server = createServer(apiPage('http://127.0.0.1:1/staging/v1'));
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
});

const get = (path: string): Promise<HttpResponse> =>
  sendRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { path });

test('the page has all the files that it asks for', async () => {
  const { headers, text } = await get('/');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const asked = [...text.matchAll(/(?:href|src)="([^"]+)"|url: '([^']+)'/g)].map(([, file, url]) => `/${file ?? url}`);
  expect(asked).toHaveLength(4);
  for (const path of asked) {
    expect(isApiPage(path)).toBe(true);
    expect(await get(path)).toMatchObject({ status: 200, text: expect.stringMatching(/./) });
  }
});

test('its document has all digits, and this server alone', async () => {
  const { headers, text } = await get('/openapi.json?fresh');
  expect(headers['content-type']).toBe('application/json');
  expect(text).toContain('{"petId":9007199254740993,"quantity":0,"status":"sold"}');
  expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
  expect(JSON.parse(text).servers).toEqual([{ url: 'http://127.0.0.1:1/staging/v1', description: 'This machine' }]);
});

test.each(['/staging/v1/inventory', '/openapi.yaml', '/swagger-ui.css/', '/favicon.ico', '//'])(
  '%s is left to the gateway',
  (path) => {
    expect(isApiPage(path)).toBe(false);
  },
);
