import { randomBytes, randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { ApiRequest } from '../../functions/http/request.ts';
import { streamedResponse } from '../../functions/http/streamed-response.ts';
import { petStatuses } from '../../functions/inventory/item.ts';
import { toJson } from '../../functions/shared/json.ts';
import { listTimeout, timeoutMargin } from '../../functions/shared/time-limits.ts';
import { pages, textOf } from '../support/docs/markdown.ts';
import { bytesOfEntry } from '../support/figures.ts';
import { prod } from '../support/stack/stages.ts';

const { longest, zipped } = bytesOfEntry;

/** The most bytes of a list: what Lambda sends, 6 MB at once and then 2 MB a second, in its time. */
const longestList = 6e6 + 2e6 * ((listTimeout - timeoutMargin) / 1_000);

test.each(['README.md', 'docs/settings.md', 'openapi.yaml'])(
  '%s says how many of the longest entries a list can have, plain and with gzip',
  (file) => {
    const text = textOf(file)
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/\s+/g, ' ');
    const said = /([\d.]+) million\b[^.]*?, or ([\d.]+) million/.exec(text)?.slice(1) ?? [];
    const figures = [longest, zipped].map((bytes) => Math.floor(longestList / bytes / 1e5) / 10);
    // A page may leave out the last digit.
    const [plain, gzip] = figures.map((figure) => [String(figure), String(Math.floor(figure))]);
    expect(plain).toContain(said[0]);
    expect(gzip).toContain(said[1]);
  },
);

test("a table that is made again gets prod's ceiling", () => {
  const { read, write } = prod.ceiling ?? {};
  const given = pages.flatMap((page) => textOf(page).match(/MaxReadRequestUnits=[^\s']+/g) ?? []);
  const expected = `MaxReadRequestUnits=${read},MaxWriteRequestUnits=${write}`;
  expect([...new Set(given)]).toStrictEqual([expected]);
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
