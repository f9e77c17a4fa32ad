import { existsSync } from 'node:fs';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type LocalRun, localRun } from '../../support/local-run.ts';

const executablePath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path && existsSync(path));

const inStock = { quantity: { N: '3' }, status: { S: 'available' } };

describe('the API reference page, in Chromium', () => {
  let run: LocalRun;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const problems: string[] = [];
  beforeAll(async () => {
    if (!executablePath) {
      throw new Error('No Chromium found. Install it, or set CHROMIUM_PATH.');
    }
    run = await localRun();
    const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.newPage();
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => problems.push(error.message));
    await open();
  });
  afterEach(() => page?.close());

  const open = async () => {
    await page.goto(new URL(run.baseUrl).origin);
    await page.waitForSelector('.opblock');
  };

  const expand = (operationId: string) => page.click(`#operations-inventory-${operationId} .opblock-summary-control`);

  const authorize = async () => {
    await page.click('.btn.authorize');
    await page.fill('.auth-container input', run.apiKey);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
  };

  /** Executes an operation of the page and returns what it shows: the status and the body. */
  const execute = async (operationId: string) => {
    await page.click(`#operations-inventory-${operationId} .execute`);
    const responses = page.locator(`#operations-inventory-${operationId} .live-responses-table`);
    const body = await responses.locator('.highlight-code code').first().innerText();
    return { status: (await responses.locator('.response .response-col_status').first().innerText()).trim(), body };
  };

  test('shows both operations, at this server, and nothing from elsewhere', async () => {
    expect(await page.locator('.opblock').count()).toBe(2);
    expect(await page.locator('.servers select').innerText()).toContain(run.baseUrl);
    const { origin } = new URL(run.baseUrl);
    expect(requested.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('shows the examples and the schemas, with no number that it has rounded', async () => {
    await expand('listInventory');
    const examples = page.locator('#operations-inventory-listInventory .responses-table').last().locator('.example');
    expect(await examples.first().innerText()).toContain('"petId": 9007199254740993,');
    for (const button of await page.locator('.json-schema-2020-12-expand-deep-button').all()) {
      await button.click();
    }
    const schemas = await page.locator('section.models').innerText();
    expect(schemas).toContain('from -9223372036854775808 to 9223372036854775807');
    expect(schemas).toContain('9007199254740991');
    expect(schemas.match(/\d{17,}/g)).toEqual(schemas.match(/922337203685477580[78]/g));
  });

  test('lists the inventory with a pasted key, and is rejected without one', async () => {
    await expand('listInventory');
    expect(await execute('listInventory')).toMatchObject({ status: '401' });

    await authorize();
    await page.click('#operations-inventory-listInventory .btn-clear');
    const { status, body } = await execute('listInventory');
    expect(status).toBe('200');
    expect(body).toMatch(/"petId": 9007199254740993,/);
    expect(body).toMatch(/"petId": -9223372036854775808,/);
  });

  test('warns in a browser that rounds, and in no other', async () => {
    expect(await page.isVisible('#rounding')).toBe(false);
    await page.addInitScript(() => ['rawJSON', 'isRawJSON'].map((name) => Reflect.deleteProperty(JSON, name)));
    await open();
    expect(await page.isVisible('#rounding')).toBe(true);
  });

  test.each([9223372036854775807n, 9007199254740993n])(
    'sets the quantity of %s and of no other entry',
    async (petId) => {
      const quantities = async () => {
        const { body } = await run.send({ path: '/inventory' });
        return new Map((body as { petId: bigint; quantity: bigint }[]).map((entry) => [entry.petId, entry.quantity]));
      };
      // What a rounding page would change instead.
      const decoys = [petId - 1n, petId - 1023n].map((decoy) => ({ petId: { N: String(decoy) }, ...inStock }));
      for (const Item of decoys) {
        await run.tables.client.send(new PutItemCommand({ TableName: run.tables.inventory, Item }));
      }
      const before = await quantities();
      const block = '#operations-inventory-updateInventory';
      await authorize();
      await expand('updateInventory');
      await page.fill(`${block} .parameters input`, String(petId));
      await page.fill(`${block} textarea`, '{"quantity": 31}');
      expect(await execute('updateInventory')).toEqual({
        status: '200',
        body: `{\n  "petId": ${petId},\n  "quantity": 31,\n  "status": "available"\n}`,
      });
      expect(await quantities()).toEqual(before.set(petId, 31n));
    },
  );
});
