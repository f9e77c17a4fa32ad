import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { listProbes, type ProbeName } from './probes.ts';
import { lasting, testTrials } from './trials.ts';

/** Fewer than the attempts to read a page: three for the first page, and four for any other. */
const fewTimes = (on: string): number => (on === 'the first page' ? 2 : 3);

const trials = kinds
  .flatMap((kind) =>
    Object.keys(listProbes).flatMap((on) =>
      [1, fewTimes(on), lasting].map((times) => ({ kind, on: on as ProbeName, times })),
    ),
  )
  // At this rate, any other page would take most of the time that a list is allowed to take.
  .filter(({ kind, on }) => kind.name !== 'a byte every 700 ms' || on === 'the first page');

// Each run serves one list at a time, because a fault cannot tell lists apart. The runs spend most
// of the time waiting.
const runs = await Promise.all(Array.from({ length: 10 }, () => faultyRun(1)));
testTrials('a list', trials, runs, 600);
