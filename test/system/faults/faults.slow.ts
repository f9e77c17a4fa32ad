import { expect, test } from '@jest/globals';
import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { testOutage } from './outage.ts';
import { requests } from './probes.ts';
import { lasting } from './settle.ts';
import { testTrials } from './trials.ts';

const run = await faultyRun();

const trials = kinds.flatMap((kind) =>
  requests.flatMap((on) => [1, 2, lasting].map((times) => ({ kind, on, times }))),
);
testTrials('a request', trials, Array(8).fill(run));

test('no call to DynamoDB outlives its request', () => expect(run.callsUnderWay()).toBe(0));

// With this many requests, an instance uses up the SDK's quota of retries.
testOutage(300, run);
