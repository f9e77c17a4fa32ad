import { beforeAll, describe, expect, test } from '@jest/globals';
import { everyListFault, expectedOf, type ListFault, listRun } from './list-faults.ts';

/** Such a page would take minutes, which a list may. */
const fits = ({ kind, page }: ListFault) => kind !== 'a byte now and then' || page === 'the first page';

const burst = [...everyListFault(1), ...everyListFault(5)].filter(fits);

// Where no segment ever has its first page, it is a matter of chance whether attempts or time run out first.
const lasting = everyListFault(Number.POSITIVE_INFINITY).filter(fits);
const unknown = lasting.filter(({ page }) => page === 'the first page of a segment');
const known = lasting.filter(({ page }) => page !== 'the first page of a segment');

/** 8 attempts, 2 s of silence each, and the longest waits between them. */
const longest = 100_000;

describe('a list', () => {
  let service: Awaited<ReturnType<typeof listRun>>;
  beforeAll(async () => {
    service = await listRun();
  });

  test.each([...burst, ...known])(
    'of which $page has $kind, $times ×',
    async (fault) => {
      expect(await service.outcomeOf(fault)).toEqual({ during: expectedOf(fault, service.all), after: service.all });
    },
    longest,
  );

  test.each(unknown)('of which $page has $kind, $times ×', async (fault) => {
    const { during, after } = await service.outcomeOf(fault);
    const expected = expectedOf(fault, service.all);
    const outOfTime = { status: 504 };
    expect([expected, outOfTime]).toContainEqual(during);
    expect(after).toEqual(service.all);
  });

  test('no instance has ended over it', () => {
    expect(service.warm.length).toBeGreaterThan(1);
    expect(service.run.instances()).toEqual(expect.arrayContaining(service.warm));
  });
});
