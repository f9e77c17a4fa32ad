import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';
import { testOutage } from './outage.ts';
import { check, pages, requests } from './probes.ts';
import { lasting, testTrials } from './trials.ts';

const run = await faultyRun(4);

const quick = kinds.filter(({ silent }) => !silent);

// One silence stands for all that make a client wait; the others are in faults.slow.ts.
const ofRequests = [...quick, ...kinds.filter(({ name }) => name === 'silence')].flatMap((kind) =>
  requests.flatMap((on) => [1, lasting].map((times) => ({ kind, on, times }))),
);
testTrials('a request', ofRequests, Array(8).fill(run));

// Each kind on one page, in turn, and some that last; all of them on all pages are in list.slow.ts.
const ofLists = quick.flatMap((kind, index) => [
  { kind, on: pages[index % 3] ?? pages[0], times: 1 },
  ...(index % 3 === 0 ? [{ kind, on: pages[0], times: lasting }] : []),
]);
testTrials('a list', ofLists, [run]);

test.each([
  ['a clock an hour ahead', 1_800, false],
  ['a clock an hour behind', -1_800, true],
])('keys expire by the clock of the engine: %s', async (clock, expiresIn, isValid) => {
  const expiresAt = Math.floor(Date.now() / 1000) + expiresIn;
  const probe = await check({ expiresAt }, isValid)(run);
  const end = run.inject({ ...probe, what: (call) => kinds.find(({ name }) => name === clock)?.what(call) });
  expect(probe.expected(200)).toContainEqual(await probe.ask());
  end();
});

testOutage(20, run);

test('docs/reliability.md lists what the SDK as it comes would not survive', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reliability.md'), 'utf8');
  const [, section = ''] = page.split('\n## What only our DynamoDB client survives\n');
  const [text = ''] = section.split('\n## ', 1);
  const listed = [...text.replaceAll('\n', ' ').matchAll(/\*([^*]+)\*/g)].map(([, name = '']) => name);
  const kept = kinds.filter(({ notOnStockSdk }) => notOnStockSdk).map(({ name }) => name);
  expect(listed.toSorted()).toEqual(kept.toSorted());
});
