import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { quantitiesOf } from '../../support/clients/right-pet.ts';
import { localRun } from '../../support/local/local-run.ts';
import { startBrowser } from '../../support/page/browser.ts';

const browser = await startBrowser();
const run = await localRun();
const { origin } = new URL(run.baseUrl);

/** The smallest window that the page is made for. */
const viewport = { width: 1280, height: 800 };

let page: Page;
/** What the page has done since the test began. */
let requested: { url: string; headers: Record<string, string> }[];
let problems: string[];
beforeEach(async () => {
  page = await browser.newPage({ viewport });
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
const openWithKey = () => open(`#key=${run.apiKey}`);

const operation = (operationId: string) => page.locator(`#operations-inventory-${operationId}`);
const expand = (operationId: string) =>
  operation(operationId).locator('.opblock-summary-control').click();

/** Executes an expanded operation and returns what the page shows: the status and the body. */
const execute = async (operationId: string) => {
  await operation(operationId).locator('.execute').click();
  const responses = operation(operationId).locator('.live-responses-table');
  const body = await responses.locator('.highlight-code code').first().textContent();
  const status = await responses.locator('.response .response-col_status').first().textContent();
  return { status: status.trim(), body };
};

/** Returns the status that a list gets with the page as it is now. */
const statusOfList = async (): Promise<string> => {
  await expand('listInventory');
  return (await execute('listInventory')).status;
};

describe('the page', () => {
  test('shows both operations without scrolling', async () => {
    await open();
    const operations = page.locator('.opblock');
    expect(await operations.count()).toBe(2);
    for (const shown of await operations.all()) {
      const { y = 0, height = 0 } = (await shown.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(0);
      expect(y + height).toBeLessThanOrEqual(viewport.height);
    }
  });

  test('shows the description when it is unfolded', async () => {
    await open();
    const paragraph = page.getByText('Every 4xx and 5xx of the service has an Error body');
    expect(await paragraph.isVisible()).toBe(false);
    await page.getByText('About this API').click();
    expect(await paragraph.isVisible()).toBe(true);
  });

  test('has this machine as its only server', async () => {
    await open();
    expect(await page.locator('.servers select').textContent()).toBe(
      `${run.baseUrl} - This machine`,
    );
  });

  test('links to nothing but its own document', async () => {
    await open();
    const links = page.locator('a[href]');
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(hrefs.filter((href) => !href?.startsWith('#'))).toEqual(['openapi.json']);
  });

  test('loads nothing from elsewhere, and has no errors', async () => {
    await open();
    const elsewhere = requested.filter(
      ({ url }) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'),
    );
    expect(elsewhere).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('rounds no example', async () => {
    await open();
    await expand('listInventory');
    const responses = operation('listInventory').locator('.responses-table').last();
    const example = await responses.locator('.example').first().textContent();
    expect(example).toContain('"petId": 9007199254740993,');
  });

  test('rounds no number in a schema', async () => {
    await open();
    for (const button of await page.locator('.json-schema-2020-12-expand-deep-button').all()) {
      await button.click();
    }
    const schemas = await page.locator('section.models').textContent();
    expect(schemas).toContain('from -9223372036854775808 to 9223372036854775807');
    expect(schemas).toContain('9007199254740991');
    expect(schemas.match(/\d{17,}/g)).toEqual(schemas.match(/922337203685477580[78]/g));
  });
});

describe('the key', () => {
  test('of its URL authorizes the page', async () => {
    await openWithKey();
    expect(await statusOfList()).toBe('200');
  });

  test('of its URL is sent only in the Authorization header', async () => {
    await openWithKey();
    expect(await statusOfList()).toBe('200');
    const holders = requested.flatMap(({ url, headers }) =>
      Object.entries({ url, ...headers })
        .filter(([, value]) => value.includes(run.apiKey))
        .map(([name, value]) => ({ name, value })),
    );
    expect(holders).toEqual([{ name: 'authorization', value: `Bearer ${run.apiKey}` }]);
    expect(run.log()).not.toContain(run.apiKey);
  });

  test('of a URL that is opened in the same tab takes the place of another', async () => {
    await open(`#key=${run.apiKey.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`);
    await page.goto(`${origin}/#key=${run.apiKey}`);
    expect(await statusOfList()).toBe('200');
  });

  const paste = async () => {
    await page.click('.btn.authorize');
    await page.fill('.auth-container input', run.apiKey);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.btn-done');
  };

  test('may be pasted', async () => {
    await open();
    await paste();
    expect(await statusOfList()).toBe('200');
  });

  test('that was pasted is not stored for a later run', async () => {
    await open();
    await paste();
    await page.reload();
    await page.waitForSelector('.opblock');
    expect(await statusOfList()).toBe('401');
  });
});

test('a list shows every digit of its petIds', async () => {
  await openWithKey();
  await expand('listInventory');
  const { status, body } = await execute('listInventory');
  expect(status).toBe('200');
  expect(body).toMatch(/"petId": 9007199254740993,/);
  expect(body).toMatch(/"petId": -9223372036854775808,/);
});

describe('the warning about a browser that rounds', () => {
  test('is not shown in a browser that does not', async () => {
    await open();
    expect(await page.isVisible('#rounding')).toBe(false);
  });

  test('is shown in one that does', async () => {
    await page.addInitScript(() => {
      for (const name of ['rawJSON', 'isRawJSON']) {
        Reflect.deleteProperty(JSON, name);
      }
    });
    await open();
    expect(await page.isVisible('#rounding')).toBe(true);
  });
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
    await openWithKey();
    await expand('updateInventory');
    await operation('updateInventory').getByPlaceholder('petId').fill(String(petId));
    await operation('updateInventory').locator('textarea').fill('{"quantity": 31}');
    const body = `{\n  "petId": ${petId},\n  "quantity": 31,\n  "status": "available"\n}`;
    expect(await execute('updateInventory')).toEqual({ status: '200', body });
    expect(await quantitiesOf(run)).toEqual(before.set(petId, 31n));
  },
);
