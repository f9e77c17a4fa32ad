import { expect, test } from '@jest/globals';
import { acceptsGzip } from '../../functions/http/accepts-gzip.ts';
import { jsonBody } from '../../functions/http/json-request.ts';
import { isPetId } from '../../functions/inventory/inventory-item.ts';
import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { mapStack } from '../../functions/observability/source-stack.ts';
import { parseJson } from '../../functions/shared/json.ts';
import { eventOf } from '../support/functions.ts';

/** CPU milliseconds of the fastest of five runs. */
const cpuTime = (run: () => void): number => {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
};

/** What the clock and the garbage collector may add. */
const noise = 1;

const readers = {
  acceptsGzip,
  contentType: (type: string) => {
    const event = eventOf({ body: '{}', headers: { 'Content-Type': [type] } });
    jsonBody().before?.({ event } as never);
  },
  isPetId,
  isWellFormedApiKey: (text: string) => isWellFormedApiKey(text, 'staging'),
  mapStack,
  parseJson,
};

/** So many characters of one part. */
const fill = (part: string, length: number): string => part.repeat(length / part.length);

/** For each reader, texts of about n characters. */
const texts: Record<keyof typeof readers, ((n: number) => string)[]> = {
  acceptsGzip: ['gzip,', ';q=1', ' ', 'gzip;', 'a'].map((part) => (n) => fill(part, n)),
  contentType: ['application/json;', 'application/json ', ' ', 'a'].map(
    (end) => (n) => `application/json${fill(' ', n)}${end}`,
  ),
  isPetId: ['9', '0', '-', '1-'].map((part) => (n) => fill(part, n)),
  isWellFormedApiKey: ['petstore_staging_', 'a', ' '].map((part) => (n) => fill(part, n)),
  mapStack: ['/', '/a', '/a.js', '/a.js:1', ' /', 'x'].map((part) => (n) => fill(part, n)),
  parseJson: [
    (n) => `1.${fill('0', n)}1`,
    (n) => `1.${fill('0', n)}`,
    (n) => `0.${fill('0', n)}7${fill('0', n)}7`,
    (n) => fill('9', n),
    (n) => `-1${fill('0', n)}`,
    (n) => `1e${fill('0', n)}1`,
    (n) => `1${fill('0', n)}e-${n}`,
    (n) => `[${fill('1.0,', n)}1]`,
    (n) => `${fill('[', n / 40)}${fill(']', n / 40)}${fill(' ', n)}`,
    (n) => fill('[', n),
    (n) => `${fill('{"":', n / 10)}1${fill('}', n / 40)}`,
    (n) => `{"${fill('k', n)}":1.0}`,
    (n) => `{${Array.from({ length: n / 10 }, (_, i) => `"k${i}":1`)}}`,
    (n) => `{${fill('"quantity":1.0,', n)}"quantity":1.0}`,
    (n) => `"${fill('\\u0041', n)}"`,
    (n) => `{"${fill('\\n', n)}":1.0}`,
    (n) => `"${fill('\\\\', n)}`,
  ],
};

const cases = Object.entries(texts).flatMap(([reader, all]) =>
  all.map((textOf) => [reader, textOf(40), textOf] as const),
);

// Four times the input takes less than eight times the CPU: quadratic time would be sixteen times.
test.each(cases)('%s takes linear time for more of %j', (reader, _example, textOf) => {
  const reading = (length: number) => {
    const text = textOf(length);
    return () => {
      try {
        readers[reader as keyof typeof readers](text);
      } catch {
        // Not all of it is well-formed, and not all of it fits the stack.
      }
    };
  };
  const [short, long] = [reading(25_000), reading(100_000)];
  short();
  expect(cpuTime(long)).toBeLessThan(8 * (cpuTime(short) + noise));
});
