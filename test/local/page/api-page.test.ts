import { expect, test } from '@jest/globals';
import { apiPage, isApiPage } from '../../../local/page/api-page.ts';
import { sendRaw } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';

const servePage = () => serve(apiPage('http://127.0.0.1:1/staging/v1'));

test('the page is served with all the files that it requests', async () => {
  const url = await servePage();
  const { headers, text } = await sendRaw(url, { path: '/' });
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const asked = [...text.matchAll(/(?:href|src)="([^"]+)"|url: '([^']+)'/g)].map(
    ([, file, url]) => `/${file ?? url}`,
  );
  expect(asked).toHaveLength(4);
  for (const path of asked) {
    expect(isApiPage(path)).toBe(true);
    expect(await sendRaw(url, { path })).toMatchObject({
      status: 200,
      text: expect.stringMatching(/./),
    });
  }
  const others = [
    '/staging/v1/inventory',
    '/openapi.yaml',
    '/swagger-ui.css/',
    '/favicon.ico',
    '//',
  ];
  expect(others.filter(isApiPage)).toEqual([]);
});

test("the page's OpenAPI document has all digits, and only this server", async () => {
  const { headers, text } = await sendRaw(await servePage(), { path: '/openapi.json?fresh' });
  expect(headers['content-type']).toBe('application/json');
  expect(text).toContain('{"petId":9007199254740993,"quantity":0,"status":"sold"}');
  expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
  expect(JSON.parse(text).servers).toEqual([
    { url: 'http://127.0.0.1:1/staging/v1', description: 'This machine' },
  ]);
});
