import { faultyRun } from './faulty-run.ts';
import { type KindName, kindNamed } from './kinds.ts';
import { type ProbeName, updatedItem } from './probes.ts';
import { lasting, testTrials } from './trials.ts';

// Few items a page, so that every segment of a list has more than one.
const run = await faultyRun(4);
for (let petId = 5_000; petId < 5_024; petId++) {
  await run.put(updatedItem(petId));
}

// One fault for each way in which a client can learn of it. test/functions/faults.test.ts tries all
// of them in process, faults.slow.ts and list.slow.ts end to end.
const trial = (fault: KindName, on: ProbeName, times: number) => ({
  kind: kindNamed(fault),
  on,
  times,
});
const ofRequests = [
  trial('a reset after the engine has run the call', 'an update with If-Match', 1),
  trial('silence', 'an update', lasting),
  trial('InternalServerError', 'the check of a key', lasting),
];
testTrials('a request', ofRequests, Array(ofRequests.length).fill(run), 60);
testTrials('a list', [trial('half a response and a reset', 'a later page', lasting)], [run], 60);
