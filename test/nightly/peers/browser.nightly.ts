// That the API reference page works in a browser.
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { chromium } from 'playwright-core';
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

const page = await browser.newPage();
page.setDefaultTimeout(120_000);
const requested: { url: string; headers: Record<string, string> }[] = [];
const problems: string[] = [];
page.on('request', (request) => {
  requested.push({ url: request.url(), headers: request.headers() });
});
page.on('pageerror', (error) => problems.push(error.message));
await page.goto(`${origin}/#key=${run.apiKey}`);
await page.waitForSelector('.opblock');

/** Fills in and executes an operation, and returns what the page shows: the status and the body. */
const execute = async (operationId: string, fill: { petId?: bigint; body?: string } = {}) => {
  const operation = page.locator(`#operations-inventory-${operationId}`);
  await operation.locator('.opblock-summary-control').click();
  if (fill.body !== undefined) {
    await operation.getByPlaceholder('petId').fill(String(fill.petId));
    await operation.locator('textarea').fill(fill.body);
  }
  await operation.locator('.execute').click();
  const responses = operation.locator('.live-responses-table');
  const body = await responses.locator('.highlight-code code').first().textContent();
  const status = await responses.locator('.response .response-col_status').first().textContent();
  return { status: status?.trim(), body };
};

test('the page sets the quantity of a pet and of no other, and lists it, however large its petId', async () => {
  const { client, inventory: TableName } = run.tables;
  const petId = 9223372036854775807n;
  const put = (id: bigint) => {
    const values = { quantity: { N: '77' }, status: { S: 'available' } };
    return client.putItem({ TableName, Item: { petId: { N: String(id) }, ...values } });
  };
  // A pet whose quantity a page that rounds would set instead.
  const other = petId - 1023n;
  await Promise.all([petId, other].map(put));
  const updated = `{\n  "petId": ${petId},\n  "quantity": 31,\n  "status": "available"\n}`;
  expect(await execute('updateInventory', { petId, body: '{"quantity": 31}' })).toStrictEqual({
    status: '200',
    body: updated,
  });
  const { Items = [] } = await client.scan({ TableName });
  const changed = Items.filter(({ quantity }) => quantity?.N === '31').map((item) => item.petId?.N);
  expect(changed).toStrictEqual([String(petId)]);
  const { status, body } = await execute('listInventory');
  expect(status).toBe('200');
  expect(body).toContain(`"petId": ${petId},`);
  expect(body).toContain(`"petId": ${other},`);

  // Its key went to the API in one header, nothing came from elsewhere, and nothing failed.
  const holders = requested.flatMap(({ url, headers }) =>
    Object.entries({ url, ...headers }).filter(([, value]) => value.includes(run.apiKey)),
  );
  expect(new Set(holders.map(String))).toStrictEqual(
    new Set([`authorization,Bearer ${run.apiKey}`]),
  );
  const elsewhere = requested.filter(
    ({ url }) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'),
  );
  expect(elsewhere).toStrictEqual([]);
  expect(problems).toStrictEqual([]);
});
