// test/nightly/peers/browser.nightly.ts looks at the page in a browser.
import { expect, test } from '@jest/globals';
import { apiPage, isApiPage } from '../../../local/page/api-page.ts';
import { sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';

const url = await serve(apiPage('http://127.0.0.1:1/staging/v1'));

test.each([
  { path: '/', type: 'text/html; charset=utf-8' },
  { path: '/?a', type: 'text/html; charset=utf-8' },
  { path: '/swagger-ui.css', type: 'text/css' },
  { path: '/swagger-ui-bundle.js', type: 'text/javascript' },
  { path: '/favicon-32x32.png', type: 'image/png' },
  { path: '/openapi.json?fresh', type: 'application/json' },
])('the page has $path as $type', async ({ path, type }) => {
  expect(isApiPage(path)).toBe(true);
  const { status, headers, text } = await sendRaw(url, { path });
  expect([status, headers['content-type'], text !== '']).toStrictEqual([200, type, true]);
});

test.each(['/staging/v1/inventory', '/openapi.yaml', '/swagger-ui.css/', '//'])(
  'the page has no %s',
  (path) => {
    expect(isApiPage(path)).toBe(false);
  },
);

test("the page's OpenAPI document has this server alone, all digits and a folded description", async () => {
  const { text } = await sendRaw(url, { path: '/openapi.json' });
  expect(text).toContain('{"petId":9007199254740993,"quantity":5,"status":"available"}');
  expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
  const { info, servers } = JSON.parse(text);
  expect(servers).toStrictEqual([{ url: '/staging/v1', description: 'This machine' }]);
  expect(info.description).toMatch(
    /^<details><summary>About this API<\/summary>\n\n.*\n<\/details>$/s,
  );
});
