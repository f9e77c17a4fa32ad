import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { pages } from './probes.ts';
import { lasting, testTrials } from './trials.ts';

const trials = kinds
  // 2 and 5 are fewer than the attempts of a page: three for the first page, and eight for any other.
  .flatMap((kind) => pages.flatMap((on) => [1, on === pages[0] ? 2 : 5, lasting].map((times) => ({ kind, on, times }))))
  // At this rate a later page would take minutes, which a list is allowed to take.
  .filter(({ kind, on }) => kind.name !== 'a byte every 700 ms' || on === pages[0]);

// Each run serves one list at a time, since a fault cannot tell lists apart. Nearly all of the time is waiting.
testTrials('a list', trials, await Promise.all(Array.from({ length: 10 }, () => faultyRun(1))));
