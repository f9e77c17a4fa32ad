import { describe, expect, test } from '@jest/globals';
import { apiPage, isApiPage } from '../../../local/page/api-page.ts';
import { sendRaw } from '../../../ops/acceptance/suite/raw-request.ts';
import { serve } from '../../support/http/serve.ts';

const url = await serve(apiPage('http://127.0.0.1:1/staging/v1'));
const get = (path: string) => sendRaw(url, { path });
const page = await get('/');

test('the page is HTML', () => {
  expect(page).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
});

const files = [...page.text.matchAll(/(?:href|src)="([^"]+)"|url: '([^']+)'/g)].map(
  ([, link, url]) => `/${link ?? url}`,
);

test('the page uses four files', () => {
  expect(files).toHaveLength(4);
});

test.each(files)('the file %s of the page is served', async (path) => {
  expect(isApiPage(path)).toBe(true);
  expect(await get(path)).toMatchObject({ status: 200, text: expect.stringMatching(/./) });
});

test.each(['/staging/v1/inventory', '/openapi.yaml', '/swagger-ui.css/', '/favicon.ico', '//'])(
  '%s does not belong to the page',
  (path) => {
    expect(isApiPage(path)).toBe(false);
  },
);

test.each(['/?a', '/openapi.json?fresh'])(
  '%s belongs to the page in spite of its query',
  (path) => {
    expect(isApiPage(path)).toBe(true);
  },
);

const { headers, text } = await get('/openapi.json?fresh');
const { info, servers } = JSON.parse(text);

describe("the page's OpenAPI document", () => {
  test('is JSON', () => {
    expect(headers['content-type']).toBe('application/json');
  });

  test('has all digits', () => {
    expect(text).toContain('{"petId":9007199254740993,"quantity":5,"status":"available"}');
    expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
  });

  test('has only this server', () => {
    expect(servers).toEqual([
      { url: 'http://127.0.0.1:1/staging/v1', description: 'This machine' },
    ]);
  });

  test('has its description folded', () => {
    expect(info.description).toMatch(
      /^<details><summary>About this API<\/summary>\n\n.*\n<\/details>$/s,
    );
  });

  test('has no license, to which Swagger UI would make a link', () => {
    expect(info).not.toHaveProperty('license');
  });
});
