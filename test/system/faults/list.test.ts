import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { kinds } from './kinds.ts';
import { everyListFault, expectedOf, listRun } from './list-faults.ts';

const sampleFile = join(import.meta.dirname, '../../../ops/sample-inventory.csv');

// Every kind on one page, in turn; all of them on all pages, and what takes its time, are in list.slow.ts.
const faults = everyListFault(1).filter(({ kind }, index) => !kinds[kind]?.silent && (index % 9) % 4 === 0);
const lasting = everyListFault(Number.POSITIVE_INFINITY).filter(
  ({ kind, page }) => page === 'the first page' && /reset before|JSON|empty|digits changed$|ahead$/.test(kind),
);

describe('a list', () => {
  let service: Awaited<ReturnType<typeof listRun>>;
  beforeAll(async () => {
    service = await listRun();
  });

  test('has every entry once', () => {
    const samples = readFileSync(sampleFile, 'utf8').match(/^-?\d+/gm) ?? [];
    const petIds = [...samples, ...Array.from({ length: 25 }, (_, index) => String(100 + index))];
    expect(service.all).toEqual({ status: 200, entries: Object.fromEntries(petIds.map((petId) => [petId, 1])) });
  });

  test.each([...faults, ...lasting])('of which $page has $kind, $times ×', async (fault) => {
    expect(await service.outcomeOf(fault)).toEqual({ during: expectedOf(fault, service.all), after: service.all });
  });

  test('the log says why a page cannot be read', () => {
    const errorMessage = 'Its checksum is missing or another.';
    const lines = service.run.log().split('\n');
    const errors = lines.filter((line) => line.includes('"level":"ERROR"')).map((line) => JSON.parse(line));
    expect(errors).toContainEqual(
      expect.objectContaining({
        errorMessage: 'A page of DynamoDB cannot be read.',
        cause: expect.objectContaining({ errorMessage }),
      }),
    );
  });

  test('no instance has ended over it', () => {
    expect(service.warm.length).toBeGreaterThan(1);
    expect(service.run.instances()).toEqual(expect.arrayContaining(service.warm));
  });
});
