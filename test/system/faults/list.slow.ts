import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { pages } from './probes.ts';
import { lasting, testTrials } from './trials.ts';

const trials = kinds
  // Fewer than the attempts of a page, of which the first has three.
  .flatMap((kind) => pages.flatMap((on) => [1, on === pages[0] ? 2 : 5, lasting].map((times) => ({ kind, on, times }))))
  // Such a page would take minutes, which a list may.
  .filter(({ kind, on }) => kind.name !== 'a byte now and then' || on === pages[0]);

// One list at a time on each, since a fault cannot tell one from another. Nearly all of the time is waiting.
testTrials('a list', trials, await Promise.all(Array.from({ length: 10 }, () => faultyRun(1))));
