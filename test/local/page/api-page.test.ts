import { expect, test } from '@jest/globals';
import { apiPage, isApiPage } from '../../../local/page/api-page.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';

const url = await serve(apiPage('http://127.0.0.1:1/staging/v1'));
const get = (path: string) => sendRaw(url, { path });

test('the page is HTML, and all four files that it uses are served', async () => {
  const page = await get('/');
  expect(page).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
  const links = [...page.text.matchAll(/(?:href|src)="([^"]+)"|url: '([^']+)'/g)];
  expect(links).toHaveLength(4);
  for (const [, link, document] of links) {
    const path = `/${link ?? document}`;
    expect(isApiPage(path)).toBe(true);
    expect(await get(path)).toMatchObject({ status: 200, text: expect.stringMatching(/./) });
  }
});

test.each([
  { path: '/?a', isPage: true },
  { path: '/openapi.json?fresh', isPage: true },
  { path: '/staging/v1/inventory', isPage: false },
  { path: '/openapi.yaml', isPage: false },
  { path: '/swagger-ui.css/', isPage: false },
  { path: '/favicon.ico', isPage: false },
  { path: '//', isPage: false },
])('$path belongs to the page: $isPage', ({ path, isPage }) => {
  expect(isApiPage(path)).toBe(isPage);
});

test("the page's OpenAPI document has this server alone, all digits and a folded description", async () => {
  const { headers, text } = await get('/openapi.json?fresh');
  expect(headers['content-type']).toBe('application/json');
  expect(text).toContain('{"petId":9007199254740993,"quantity":5,"status":"available"}');
  expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
  const { info, servers } = JSON.parse(text);
  expect(servers).toStrictEqual([
    { url: 'http://127.0.0.1:1/staging/v1', description: 'This machine' },
  ]);
  expect(info.description).toMatch(
    /^<details><summary>About this API<\/summary>\n\n.*\n<\/details>$/s,
  );
  // Swagger UI would make a link to a license.
  expect(info).not.toHaveProperty('license');
});
