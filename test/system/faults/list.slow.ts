import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { pages } from './probes.ts';
import { lasting } from './settle.ts';
import { testTrials } from './trials.ts';

const trials = kinds
  // 2 and 3 are fewer than the attempts to read a page: three for the first page, and four for any
  // other.
  .flatMap((kind) =>
    pages.flatMap((on) =>
      [1, on === pages[0] ? 2 : 3, lasting].map((times) => ({ kind, on, times })),
    ),
  )
  // At this rate, any other page would take most of the time that a list is allowed to take.
  .filter(({ kind, on }) => kind.name !== 'a byte every 700 ms' || on === pages[0]);

// Each run serves one list at a time, because a fault cannot tell lists apart. The runs spend most
// of the time waiting.
testTrials('a list', trials, await Promise.all(Array.from({ length: 10 }, () => faultyRun(1))));
