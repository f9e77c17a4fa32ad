import { describe, expect, test } from '@jest/globals';
import { kinds } from './kinds.ts';
import { everyListFault, expectedOf, type ListFault, type ListRun, listRun } from './list-faults.ts';

const forEver = ({ kind }: ListFault) => kinds[kind]?.forEver ?? 0;

/** Such a page would take minutes, which a list may. */
const fits = ({ kind, page }: ListFault) => kind !== 'a byte now and then' || page === 'the first page';

/** Fewer than the attempts of a page, of which the first has three. */
const five = everyListFault(5).map((fault) => ({ ...fault, times: fault.page === 'the first page' ? 2 : 5 }));
const burst = [...everyListFault(1), ...five].filter(fits);

const lasting = everyListFault(Number.POSITIVE_INFINITY).filter(fits);

// Where no segment ever has its first page, it is a matter of chance whether attempts or time run out first.
const isKnown = (fault: ListFault) => fault.page !== 'the first page of a segment' || forEver(fault) <= 500;
const known = lasting.filter(isKnown);
const unknown = lasting.filter((fault) => !isKnown(fault));

/** 8 attempts, 2 s of silence each, and the longest waits between them. */
const longest = 100_000;

/**
 * Nearly all of the time is waiting, so Jest runs five tests at once (its maxConcurrency), each on a service of its own.
 * Only what lasts uses up the retries that the SDK allows an instance; what wears off needs them, on other services.
 */
const idle = { fresh: Array.from({ length: 5 }, listRun), worn: Array.from({ length: 5 }, listRun) };

const onService = async (of: keyof typeof idle, tested: (service: ListRun) => Promise<void>): Promise<void> => {
  const service = idle[of].shift() ?? listRun();
  await tested(await service).finally(() => idle[of].push(service));
};

const isAsExpected = (of: keyof typeof idle) => (fault: ListFault) =>
  onService(of, async ({ outcomeOf, all }) => {
    expect(await outcomeOf(fault)).toEqual({ during: expectedOf(fault, all), after: all });
  });

describe('a list', () => {
  test.concurrent.each(burst)('of which $page has $kind, $times ×', isAsExpected('fresh'), longest);

  test.concurrent.each(known)('of which $page has $kind, $times ×', isAsExpected('worn'), longest);

  test.concurrent.each(unknown)('of which $page has $kind, $times ×', (fault) =>
    onService('worn', async ({ outcomeOf, all }) => {
      const { during, after } = await outcomeOf(fault);
      const deadlineSignal = { status: 504, withTimeout: true };
      expect([expectedOf(fault, all), deadlineSignal]).toContainEqual(during);
      expect(after).toEqual(all);
    }),
  );

  test('no instance has ended over it', async () => {
    for (const { run, warm } of await Promise.all([...idle.fresh, ...idle.worn])) {
      expect(warm.length).toBeGreaterThan(1);
      expect(run.instances()).toEqual(expect.arrayContaining(warm));
    }
  });
});
