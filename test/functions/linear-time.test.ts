// Pages are the only long texts: API Gateway accepts 10,240 bytes of headers, and a body may have 4,096.
import { expect, test } from '@jest/globals';
import { rewritePage } from '../../functions/inventory/rewrite-page.ts';

/** Repeats a part to this number of characters. */
const fill = (part: string, length: number): string => part.repeat(length / part.length);

const entry = '{"petId":{"N":"1"},"quantity":{"N":"5"},"status":{"S":"sold"}}';
const oddEntry = entry.replace('}}', '},"x":{"S":"y"}}');

/** Pages of a length, each of a kind that a table can have. */
const pages: Record<string, (length: number) => string> = {
  'usual entries': (n) => `{"Items":[${fill(`${entry},`, n)}]}`,
  'every other entry unusual': (n) => `{"Items":[${fill(`${entry},${oddEntry},`, n)}]}`,
  'every entry but the first unusual': (n) => `{"Items":[${entry}${fill(`,${oddEntry}`, n)}]}`,
  'the last entry wrong': (n) => `{"Items":[${fill(`${entry},`, n)}${entry.replace('sold', '')}]}`,
};

/** Returns the CPU milliseconds that it takes to rewrite a page, but at least one. */
const cpuTime = (page: string): number => {
  const before = process.cpuUsage();
  rewritePage(page);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1_000);
};

test.each(Object.entries(pages))('a page is rewritten in linear time: %s', (_what, pageOf) => {
  const short = pageOf(4_000);
  const long = pageOf(64_000);
  // 16 times the text takes far less than the 256 times that it takes in quadratic time. A measurement
  // that something else has disturbed is made again.
  expect([1, 2, 3].some(() => cpuTime(long) < 64 * cpuTime(short))).toBe(true);
});
