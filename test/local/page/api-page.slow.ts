// The API reference page as its readers see it, in a browser.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chromium, type Page } from 'playwright-core';
import { localRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';

/** Where Chromium may be: CHROMIUM_PATH says it, or else it is at one of the usual places. */
const executablePath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path));
if (executablePath === undefined) {
  throw new Error('Chromium is missing, which this needs: install it, or set CHROMIUM_PATH.');
}
const offline = ['background-networking', 'component-update', 'sync'];
const args = ['--no-sandbox', ...offline.map((what) => `--disable-${what}`)];
const browser = await chromium.launch({ executablePath, args });
atEnd(() => browser.close());
const run = await localRun();
const { origin } = new URL(run.baseUrl);
const withKey = `#key=${run.apiKey}`;

/** The smallest window that the page is made for. */
const viewport = { width: 1280, height: 800 };

let page: Page;
/** What the page has done since the test began. */
let requested: { url: string; headers: Record<string, string> }[];
let problems: string[];
beforeEach(async () => {
  page = await browser.newPage({ viewport });
  page.setDefaultTimeout(120_000);
  [requested, problems] = [[], []];
  page.on('request', (request) => {
    requested.push({ url: request.url(), headers: request.headers() });
  });
  page.on('pageerror', (error) => problems.push(error.message));
});
afterEach(() => page.close());

const open = async (fragment = '') => {
  await page.goto(`${origin}/${fragment}`);
  await page.waitForSelector('.opblock');
};

const operation = (operationId: string) => page.locator(`#operations-inventory-${operationId}`);
const expand = (operationId: string) =>
  operation(operationId).locator('.opblock-summary-control').click();

/** Executes an expanded operation and returns what the page shows: the status and the body. */
const execute = async (operationId: string) => {
  await operation(operationId).locator('.execute').click();
  const responses = operation(operationId).locator('.live-responses-table');
  const body = await responses.locator('.highlight-code code').first().textContent();
  const status = await responses.locator('.response .response-col_status').first().textContent();
  return { status: status?.trim(), body };
};

/** Returns what a list gets with the page as it is now. */
const list = async () => {
  await expand('listInventory');
  return execute('listInventory');
};

test('the page shows both operations without scrolling, and its description on demand', async () => {
  await open();
  for (const operationId of ['listInventory', 'updateInventory']) {
    const { y = 0, height = 0 } = (await operation(operationId).boundingBox()) ?? {};
    expect(height).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(viewport.height);
  }
  const paragraph = page.getByText('Every 4xx and 5xx of the service has an Error body');
  expect(await paragraph.isVisible()).toBe(false);
  await page.getByText('About this API').click();
  expect(await paragraph.isVisible()).toBe(true);
});

test.each(['light', 'dark'] as const)(
  'a phone shows an update whole, when it is %s',
  async (colorScheme) => {
    const phone = { width: 390, height: 844 };
    await page.setViewportSize(phone);
    await page.emulateMedia({ colorScheme });
    await open(withKey);
    await expand('updateInventory');
    await operation('updateInventory').getByPlaceholder('petId').fill('1');
    expect((await execute('updateInventory')).status).toBe('200');

    // Only the table of what may be answered scrolls by itself, and only downwards.
    const documented = operation('updateInventory').locator('.responses-inner > .responses-table');
    for (const part of [page.locator('html'), documented]) {
      const [content, room] = await part.evaluate((e) => [e.scrollWidth, e.clientWidth]);
      expect(content).toBe(room);
    }
    const { height = Infinity } = (await documented.boundingBox()) ?? {};
    expect(height).toBeLessThan(phone.height);
    // What is written in the table has the color of its text, which follows the reader's system.
    const colorOf = (selector: string) =>
      documented
        .locator(selector)
        .first()
        .evaluate((e) => e.ownerDocument.defaultView?.getComputedStyle(e).color);
    expect(await colorOf('td.header-col')).toBe(await colorOf('td.response-col_status'));
    const dark = await page.locator('html').evaluate((e) => e.classList.contains('dark-mode'));
    expect(dark).toBe(colorScheme === 'dark');
    // The buttons are below the response.
    const responses = operation('updateInventory').locator('.live-responses-table');
    const code = await responses.locator('.highlight-code code').first().boundingBox();
    const button = await responses.locator('.download-contents').boundingBox();
    expect(button?.y).toBeGreaterThanOrEqual((code?.y ?? Infinity) + (code?.height ?? 0));
  },
);

test('the page loads nothing from elsewhere, links nowhere else, and has no errors', async () => {
  await open();
  const elsewhere = requested.filter(
    ({ url }) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'),
  );
  expect(elsewhere).toStrictEqual([]);
  const links = page.locator('a[href]');
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(hrefs.filter((href) => !href?.startsWith('#'))).toStrictEqual(['openapi.json']);
  const servers = await page.locator('.servers option').allTextContents();
  expect(servers).toStrictEqual([`${new URL(run.baseUrl).pathname} - This machine`]);
  expect(problems).toStrictEqual([]);
});

test('the page rounds no example, and no number in a schema', async () => {
  await open();
  await expand('listInventory');
  const responses = operation('listInventory').locator('.responses-table').last();
  const example = await responses.locator('.example').first().textContent();
  expect(example).toContain('"petId": 9007199254740993,');
  const closed = page.locator('section.models button[aria-expanded="false"]');
  while ((await closed.count()) > 0) {
    await closed.first().click();
  }
  const schemas = (await page.locator('section.models').textContent()) ?? '';
  expect(schemas).toContain('from -9223372036854775808 to 9223372036854775807');
  const long = schemas.match(/\d{17,}/g) ?? [];
  expect(long.filter((digits) => !/^922337203685477580[78]$/.test(digits))).toStrictEqual([]);
});

test('a browser that rounds is told so', async () => {
  await open();
  expect(await page.isVisible('#rounding')).toBe(false);
  await page.addInitScript(() => {
    for (const name of ['rawJSON', 'isRawJSON']) {
      Reflect.deleteProperty(JSON, name);
    }
  });
  await page.reload();
  await page.waitForSelector('#rounding', { state: 'visible' });
});

test('the key of its URL authorizes the page, and is sent in the Authorization header alone', async () => {
  // A key that is opened in the same tab takes the place of another.
  await open(withKey.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
  await page.goto(`${origin}/${withKey}`);
  const { status, body } = await list();
  expect(status).toBe('200');
  expect(body).toMatch(/"petId": -9223372036854775808,/);
  const holders = requested.flatMap(({ url, headers }) =>
    Object.entries({ url, ...headers }).filter(([, value]) => value.includes(run.apiKey)),
  );
  expect(holders).toStrictEqual([['authorization', `Bearer ${run.apiKey}`]]);
});

test('the page works at every address that leads to it', async () => {
  // As through a proxy or a forwarded port, of which the run knows nothing.
  const forwarding = createServer((socket) => {
    const { hostname, port } = new URL(origin);
    socket.pipe(connect(Number(port), hostname)).pipe(socket);
  });
  forwarding.listen(0, '127.0.0.1');
  await once(forwarding, 'listening');
  atEnd(() => forwarding.close());
  const { port } = forwarding.address() as AddressInfo;
  await page.goto(`http://localhost:${port}/${withKey}`);
  await page.waitForSelector('.opblock');
  expect((await list()).status).toBe('200');
  expect(problems).toStrictEqual([]);
});

test('a key may be pasted, and is not stored for a later run', async () => {
  await open();
  await page.click('.btn.authorize');
  await page.fill('.auth-container input', run.apiKey);
  await page.click('.auth-btn-wrapper .authorize');
  await page.click('.btn-done');
  expect((await list()).status).toBe('200');
  await page.reload();
  await page.waitForSelector('.opblock');
  expect((await list()).status).toBe('401');
});

test('the page sets the quantity of a pet and of no other, however large its petId', async () => {
  const { client, inventory: TableName } = run.tables;
  const petId = 9223372036854775807n;
  const put = (id: bigint) => {
    const values = { quantity: { N: '77' }, status: { S: 'available' } };
    return client.putItem({ TableName, Item: { petId: { N: String(id) }, ...values } });
  };
  // Pets whose quantity a page that rounds would set instead.
  const others = [petId - 1n, petId - 1023n];
  await Promise.all([petId, ...others].map(put));
  await open(withKey);
  await expand('updateInventory');
  await operation('updateInventory').getByPlaceholder('petId').fill(String(petId));
  await operation('updateInventory').locator('textarea').fill('{"quantity": 31}');
  const body = `{\n  "petId": ${petId},\n  "quantity": 31,\n  "status": "available"\n}`;
  expect(await execute('updateInventory')).toStrictEqual({ status: '200', body });

  const { Items = [] } = await client.scan({ TableName });
  const changed = Items.filter(({ quantity }) => quantity?.N === '31').map((item) => item.petId?.N);
  const kept = Items.filter(({ quantity }) => quantity?.N === '77').map((item) => item.petId?.N);
  expect(changed).toStrictEqual([String(petId)]);
  expect(kept.sort()).toStrictEqual(others.map(String).sort());
});
