import { existsSync } from 'node:fs';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { chromium, type Page } from 'playwright-core';
import { quantitiesOf } from '../../support/local/example.ts';
import { localRun } from '../../support/local/local-run.ts';

const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const executablePath =
  process.env.CHROMIUM_PATH ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
// Without a path, Playwright finds Google Chrome where the system has installed it.
const browser = await chromium.launch({
  channel: 'chrome',
  ...(executablePath && { executablePath }),
  args,
});
afterAll(() => browser.close());
const run = await localRun();

let page: Page;
const requested: string[] = [];
const problems: string[] = [];
beforeEach(async () => {
  page = await browser.newPage();
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => problems.push(error.message));
  await open();
});

const open = async () => {
  await page.goto(new URL(run.baseUrl).origin);
  await page.waitForSelector('.opblock');
};
const operation = (operationId: string) => page.locator(`#operations-inventory-${operationId}`);
const expand = (operationId: string) =>
  operation(operationId).locator('.opblock-summary-control').click();

const authorize = async () => {
  await page.click('.btn.authorize');
  await page.fill('.auth-container input', run.apiKey);
  await page.click('.auth-btn-wrapper .authorize');
  await page.click('.btn-done');
};

/** Executes an operation of the page and returns what it shows: the status and the body. */
const execute = async (operationId: string) => {
  await operation(operationId).locator('.execute').click();
  const responses = operation(operationId).locator('.live-responses-table');
  const body = await responses.locator('.highlight-code code').first().innerText();
  return {
    status: (await responses.locator('.response .response-col_status').first().innerText()).trim(),
    body,
  };
};

test('the API reference page shows both operations at this server, rounds no number, and loads nothing from elsewhere', async () => {
  expect(await page.locator('.opblock').count()).toBe(2);
  expect(await page.locator('.servers select').innerText()).toContain(run.baseUrl);
  await expand('listInventory');
  const examples = operation('listInventory')
    .locator('.responses-table')
    .last()
    .locator('.example');
  expect(await examples.first().innerText()).toContain('"petId": 9007199254740993,');
  for (const button of await page.locator('.json-schema-2020-12-expand-deep-button').all()) {
    await button.click();
  }
  const schemas = await page.locator('section.models').innerText();
  expect(schemas).toContain('from -9223372036854775808 to 9223372036854775807');
  expect(schemas).toContain('9007199254740991');
  expect(schemas.match(/\d{17,}/g)).toEqual(schemas.match(/922337203685477580[78]/g));

  const { origin } = new URL(run.baseUrl);
  expect(requested.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual(
    [],
  );
  expect(problems).toEqual([]);
});

test('the page lists the inventory with a pasted key, and is rejected without one', async () => {
  await expand('listInventory');
  expect(await execute('listInventory')).toMatchObject({ status: '401' });

  await authorize();
  await operation('listInventory').locator('.btn-clear').click();
  const { status, body } = await execute('listInventory');
  expect(status).toBe('200');
  expect(body).toMatch(/"petId": 9007199254740993,/);
  expect(body).toMatch(/"petId": -9223372036854775808,/);
});

test('the page warns in a browser that rounds, and in no other', async () => {
  expect(await page.isVisible('#rounding')).toBe(false);
  await page.addInitScript(() =>
    ['rawJSON', 'isRawJSON'].map((name) => Reflect.deleteProperty(JSON, name)),
  );
  await open();
  expect(await page.isVisible('#rounding')).toBe(true);
});

test.each([9223372036854775807n, 9007199254740993n])(
  'the page sets the quantity of pet %s and of no other',
  async (petId) => {
    // Pets whose quantity a page that rounds would set instead.
    for (const decoy of [petId - 1n, petId - 1023n]) {
      const Item = {
        petId: { N: String(decoy) },
        quantity: { N: '3' },
        status: { S: 'available' },
      };
      await run.tables.client.send(new PutItemCommand({ TableName: run.tables.inventory, Item }));
    }
    const before = await quantitiesOf(run);
    await authorize();
    await expand('updateInventory');
    await operation('updateInventory').locator('.parameters input').fill(String(petId));
    await operation('updateInventory').locator('textarea').fill('{"quantity": 31}');
    const body = `{\n  "petId": ${petId},\n  "quantity": 31,\n  "status": "available"\n}`;
    expect(await execute('updateInventory')).toEqual({ status: '200', body });
    expect(await quantitiesOf(run)).toEqual(before.set(petId, 31n));
  },
);
