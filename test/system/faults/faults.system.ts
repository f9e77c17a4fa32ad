import { faultyRun } from './faulty-run.ts';
import { type KindName, kindNamed } from './kinds.ts';
import { type ProbeName, updatedItem } from './probes.ts';
import { lasting, testTrials } from './trials.ts';

// Few items a page, so that every segment of a list has more than one.
const run = await faultyRun(4);
for (let petId = 5_000; petId < 5_024; petId++) {
  await run.put(updatedItem(petId));
}

// A fault of each sort. faults.slow.ts and list.slow.ts try every fault on every request.
const samples: [fault: KindName, on: ProbeName, times: number][] = [
  ['ThrottlingException', 'an update with If-Match', 1],
  ['a reset after the engine has run the call', 'an update with If-Match', 1],
  ['a response with digits changed', 'an update', 1],
  ['silence', 'an update', lasting],
  ['InternalServerError', 'the check of a key', lasting],
  ['a garbled rejection', 'the check of a revoked key', 1],
];
const trials = samples.map(([fault, on, times]) => ({ kind: kindNamed(fault), on, times }));
testTrials('a request', trials, Array(trials.length).fill(run), 60);

const ofLists: typeof samples = [
  ['AccessDeniedException', 'the first page', lasting],
  ['an empty response', 'the first page of a segment', 1],
  ['half a response and a reset', 'a later page', lasting],
];
const listTrials = ofLists.map(([fault, on, times]) => ({ kind: kindNamed(fault), on, times }));
testTrials('a list', listTrials, [run], 60);
