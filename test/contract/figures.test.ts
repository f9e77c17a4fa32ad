// The figures in the pages are those of the product, in whatever words.
import { randomBytes, randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { bodyLimit } from '../../functions/http/json-body.ts';
import type { ApiRequest } from '../../functions/http/request.ts';
import { streamedResponse } from '../../functions/http/streamed-response.ts';
import { petStatuses } from '../../functions/inventory/item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { listTimeout, timeoutMargin } from '../../functions/shared/time-limits.ts';
import { stages } from '../../infra/settings/stages.ts';
import { pages, sectionOf, textOf } from '../support/docs/markdown.ts';
import { bytesOfEntry } from '../support/figures.ts';
import { prod } from '../support/stack/stages.ts';

/** Each page, and the contract, as one line without the targets of links. */
const texts = [...pages, 'openapi.yaml'].map((file) =>
  textOf(file)
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\s+/g, ' '),
);

/** Returns what a pattern finds in all of them. */
const said = (pattern: RegExp): RegExpExecArray[] =>
  texts.flatMap((text) => [...text.matchAll(pattern)]);

const { longest, zipped } = bytesOfEntry;

/** The most bytes of a list: what Lambda sends, 6 MB at once and then 2 MB a second, in its time. */
const longestList = 6e6 + 2e6 * ((listTimeout - timeoutMargin) / 1_000);

test('how many of the longest entries a list can have, plain and with gzip', () => {
  const inMillions = (bytes: number) => String(Math.floor(longestList / bytes / 1e5) / 10);
  const found = said(/([\d.]+) million\b[^.]*?, or ([\d.]+) million/g);
  expect(found).not.toStrictEqual([]);
  for (const [, plain = '', gzip = ''] of found) {
    // A page may leave out the last digits.
    expect(inMillions(longest).startsWith(plain)).toBe(true);
    expect(inMillions(zipped).startsWith(gzip)).toBe(true);
  }
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

test("the ceiling of a table that is made again is prod's", () => {
  const { read, write } = prod.ceiling ?? {};
  const expected = `MaxReadRequestUnits=${read},MaxWriteRequestUnits=${write}`;
  const found = new Set(said(/MaxReadRequestUnits=[^\s']+/g).map(([given]) => given));
  expect(found).toStrictEqual(new Set([expected]));
});

const digits = (count?: number): string => Number(count).toLocaleString('en-US');

test('docs/api.md has the limits of both stages, and of a client of prod, in their places', () => {
  const { perKey, perAddress } = prod.firewall ?? {};
  const ofClient = [perKey, perAddress].flatMap((each) => [each?.all, each?.lists]);
  const numbers = sectionOf(textOf('docs/api.md'), 'Limits').match(/\d[\d,]*\b/g);
  for (const { throttling, list } of Object.values(stages)) {
    const ofAll = [throttling, list.throttling].flatMap((each) => [
      each.rateLimit,
      each.burstLimit,
    ]);
    expect(numbers).toStrictEqual([...ofAll, ...ofClient, bodyLimit].map(digits));
  }
});

test('the bytes of a body', () => {
  const found = said(/body[^.|]*? ([\d,]+) bytes/g);
  expect(found).not.toStrictEqual([]);
  for (const [, bytes = ''] of found) {
    expect(bytes.replace(',', '')).toBe(String(bodyLimit));
  }
});
