import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { testOutage } from './outage.ts';
import { pages, probeOf, requests } from './probes.ts';
import { lasting } from './settle.ts';
import { testTrials } from './trials.ts';

const run = await faultyRun(4);
// Enough entries for every segment of a list to have more than one page.
await Promise.all(
  Array.from({ length: 24 }, (_entry, index) => probeOf('an update', run, 5_000 + index)),
);

const quick = kinds.filter(({ silent }) => !silent);

// One silent fault stands for all faults that make a client wait; faults.slow.ts tests the others.
const ofRequests = [...quick, ...kinds.filter(({ name }) => name === 'silence')].flatMap((kind) =>
  requests.flatMap((on) => [1, lasting].map((times) => ({ kind, on, times }))),
);
testTrials('a request', ofRequests, Array(8).fill(run));

// The kinds take turns on the pages, and every third kind also lasts. list.slow.ts tests every kind
// on every page.
const ofLists = quick.flatMap((kind, index) => [
  { kind, on: pages[index % 3] ?? pages[0], times: 1 },
  ...(index % 3 === 0 ? [{ kind, on: pages[0], times: lasting }] : []),
]);
testTrials('a list', ofLists, [run]);

testOutage(20, run);
