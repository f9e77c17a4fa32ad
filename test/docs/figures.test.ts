import { randomBytes, randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { ApiRequest } from '../../functions/http/request.ts';
import { streamedResponse } from '../../functions/http/streamed-response.ts';
import { petStatuses } from '../../functions/inventory/item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { stages } from '../../infra/settings/stages.ts';
import {
  bill,
  costOfList,
  costOfScanner,
  costOfUpdates,
  entriesPerSecond,
  firewallOf,
  idleCostOf,
  longestResponse,
  months,
  price,
  secondsToSend,
  sum,
} from '../support/docs/costs.ts';
import { sectionOf, textOf } from '../support/docs/markdown.ts';
import { bytesOfEntry, unitsOfList, unitsOfUpdate } from '../support/figures.ts';
import { prod } from '../support/stack/stages.ts';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const cells = [...sectionOf(textOf('docs/reference.md'), 'Large stocks').matchAll(/^\| .*$/gm)].map(
  ([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
);
const [entries = [], plain = [], gzip = [], perSecond = [], ...cents] = cells.map(([, ...values]) =>
  values.map((value) => Number.parseFloat(value)),
);
const counts = entries.map((millions) => millions * 1e6);
const { shortest, longest, zipped } = bytesOfEntry;
/** Whole seconds; NaN if the list would be too long. */
const seconds = (bytes: number) =>
  bytes > longestResponse ? Number.NaN : Math.ceil(secondsToSend(bytes));

test('a list takes what Lambda needs to send its entries, if they are the longest', () => {
  expect(plain).toStrictEqual(counts.map((count) => seconds(count * longest)));
  expect(gzip).toStrictEqual(
    counts.map((count) => Math.max(Math.ceil(count / entriesPerSecond), seconds(count * zipped))),
  );
});

test("as many lists fit into a second as prod's ceiling carries", () => {
  const ceiling = prod.ceiling?.read ?? 0;
  const carried = counts.map((count) => ceiling / unitsOfList(count));
  expect(perSecond).toStrictEqual(
    carried.map((count) => (count < 1 ? Math.floor(count * 10) / 10 : Math.floor(count))),
  );
});

test('a list costs what AWS charges for its bytes and units', () => {
  const costOf = (count: number, bytes: number) =>
    count * bytes > longestResponse
      ? Number.NaN
      : Number((100 * sum(Object.values(costOfList(count, bytes)))).toFixed(1));
  expect(cents).toStrictEqual(
    [longest, zipped].map((bytes) => counts.map((n) => costOf(n, bytes))),
  );
});

test('pages say how many entries fit into what Lambda sends', () => {
  const millions = (bytes: number) => Math.floor(longestResponse / bytes / 1e5) / 10;
  const [most, few, many] = [shortest, longest, zipped].map(millions);
  expect(oneLine(textOf('docs/reference.md'))).toContain(
    `cannot exceed ${few} million of the longest entries (${longest} bytes), ${most} million of ` +
      `the shortest (${shortest} bytes), or ${many} million of the longest with gzip`,
  );
  const rough = `${few} million`;
  const roughZipped = `${Math.floor(Number(many))} million`;
  expect(oneLine(textOf('README.md'))).toMatch(
    new RegExp(`up to about \\[${rough} pets\\]\\(.*?\\), or ${roughZipped} if every client`),
  );
  expect(oneLine(textOf('openapi.yaml'))).toContain(
    `about ${rough} entries, or ${roughZipped} with gzip`,
  );
});

test('an entry of random digits has no more bytes with gzip than the figures say', async () => {
  const random = () => ({
    petId: -(randomBytes(8).readBigUInt64BE() >> 1n),
    quantity: randomInt(2 ** 47) * 32,
    status: petStatuses[randomInt(petStatuses.length)],
  });
  const count = 20_000;
  const list = toJson(Array.from({ length: count }, random));
  const request = { headers: new Map([['accept-encoding', ['gzip']]]) } as unknown as ApiRequest;
  const { body } = streamedResponse(request, Readable.from([list]));
  const bytes = await buffer(body as Readable);
  expect(bytes.length / count).toBeLessThan(zipped);
  expect(bytes.length / count).toBeGreaterThan(zipped - 1);
});

const costs = sectionOf(textOf('docs/reference.md'), 'Costs').matchAll(/^\| (.*?) \| (.*) \|$/gm);
const dollarsOf = Object.fromEntries(
  [...costs].slice(1).map(([, name = '', values = '']) => [name, values.split(' | ')]),
);
const bills = months.map(bill);
const dollars = (value: number): string =>
  value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US');

test('each cell is what AWS charges for what is deployed, used and watched', () => {
  const parts = Object.keys(bills[0] ?? {});
  expect(dollarsOf).toStrictEqual({
    ...Object.fromEntries(
      parts.map((part) => [part, bills.map((each) => dollars(Number(each[part])))]),
    ),
    Total: bills.map((each) => dollars(sum(Object.values(each)))),
  });
});

test('README has the cost of each idle stage', () => {
  const readme = oneLine(textOf('README.md'));
  const firewall = Math.round(firewallOf('prod', 0));
  expect(readme).toContain(` a month, $${firewall} of it for the firewall; `);
  const costs = stageNames.map((stageName) => ({ stageName, cost: idleCostOf(stageName) }));
  const absent = costs.filter(
    ({ stageName, cost }) =>
      !new RegExp(`an idle ${stageName} (costs )?about \\$${Math.round(cost)}\\b`).test(readme),
  );
  expect(absent).toStrictEqual([]);
});

test('receipts and floods cost what they use', () => {
  const { plain, withReceipt, refused } = unitsOfUpdate;
  const page = oneLine(textOf('docs/reference.md'));
  expect(page).toContain(
    `A plain update costs ${plain} write unit. One with an ETag or an \`Idempotency-Key\` costs ` +
      `${withReceipt}, or ${refused} if it is refused`,
  );
  const [, , busy, flood] = months.map(({ requests: { updateInventory: count } }) =>
    Math.round(costOfUpdates(count, withReceipt) - costOfUpdates(count, plain)),
  );
  expect(page).toContain(`the busy shop pays $${busy} more, and 100 a second $${flood} more`);
  const rate = stages.prod.throttling.rateLimit;
  const day = (units: number) =>
    (Math.round(costOfUpdates(rate * 86_400, units) / 10) * 10).toLocaleString('en-US');
  expect(page).toContain(
    `a day of ${rate.toLocaleString('en-US')} updates a second costs $${day(plain)}, ` +
      `or $${day(refused)} if all have an ETag or a key, and are refused`,
  );
});

test('a monitor costs what an otherwise idle prod pays for its lists', () => {
  const updateInventory = 0;
  const idle = bill({ requests: { listInventory: 0, updateInventory }, entries: 0, keys: 0 });
  const listInventory = 730 * 60;
  const watched = bill({ requests: { listInventory, updateInventory }, entries: 10_000, keys: 1 });
  const more = sum(Object.values(watched)) - sum(Object.values(idle));
  expect(oneLine(textOf('docs/reference.md'))).toContain(
    'A monitor** that lists 10,000 entries every minute adds ' +
      `$${Math.round(more)} a month to an idle prod, ` +
      `$${Math.round(Number(watched['Logs, metrics']))} of it for metrics and logs.`,
  );
});

test('lists without gzip cost what the tables can serve of them', () => {
  const million = 1e6;
  const count = (86_400 * Number(stages.prod.ceiling?.read)) / unitsOfList(million);
  const cost = count * sum(Object.values(costOfList(million, longest)));
  expect(oneLine(textOf('docs/reference.md'))).toContain(
    'A day of lists of a million entries without gzip, as many as the tables can serve, costs ' +
      `$${(Math.round(cost / 10) * 10).toLocaleString('en-US')} more.`,
  );
});

test('a scanner costs what it can get of fixed answers', () => {
  const { perSecond, open, cost } = costOfScanner();
  const count = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'][open];
  expect(oneLine(textOf('docs/reference.md'))).toContain(
    `At ${perSecond} requests a second for each of ${count} methods, one machine costs up to ` +
      `$${Math.round(cost)} a month in staging.`,
  );
});

test('the page has the prices of the bill', () => {
  const page = oneLine(textOf('docs/reference.md'));
  const million = (unit: number) => `$${(unit * 1e6).toFixed(2)} per million`;
  const gb = (unit: number) => `$${unit.toFixed(2)} per GB`;
  const named = [
    `${million(price.writeUnit)} units`,
    `${million(price.webAclRequest)} for the firewall`,
    `backups cost ${gb(price.storedGb)}`,
  ];
  expect(named.filter((each) => !page.includes(each))).toStrictEqual([]);
});

test("prod's ceiling for writes costs what the page says an hour", () => {
  const { write = 0 } = prod.ceiling ?? {};
  const { burstLimit } = prod.throttling;
  const hour = Math.round(write * 3_600 * price.writeUnit);
  const [units, burst] = [write, burstLimit].map((value) => value.toLocaleString('en-US'));
  expect(oneLine(sectionOf(textOf('docs/reference.md'), 'Tables'))).toContain(
    `is ${units} write units a second: a burst of ${burst} updates with an ETag or an ` +
      `\`Idempotency-Key\`. A table at that ceiling costs $${hour} an hour. Beyond it,`,
  );
});
