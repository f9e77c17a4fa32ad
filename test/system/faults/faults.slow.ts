import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { type ProbeName, requestProbes } from './probes.ts';
import { lasting, testTrials } from './trials.ts';

const run = await faultyRun();

const trials = kinds.flatMap((kind) =>
  Object.keys(requestProbes).flatMap((on) =>
    [1, 2, lasting].map((times) => ({ kind, on: on as ProbeName, times })),
  ),
);
// Most of the time is waiting, so eight trials go on at once.
testTrials('a request', trials, Array(8).fill(run), 600);
