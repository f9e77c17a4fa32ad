import { expect, test } from '@jest/globals';
import type { AlarmId } from '../../../infra/observability/alarms.ts';
import { operations } from '../../../infra/service/operations.ts';
import { anchorsOf } from '../../support/docs/markdown.ts';
import { templateOf } from '../../support/stack/in-process.ts';
import { prod } from '../../support/stack/stages.ts';
import { readable } from '../../support/stack/template.ts';
import { goesOff, lookingBack, looksAtDays, type Minute } from './alarm-state.ts';

const { all, byName } = readable(templateOf('prod', prod));
/** The alarms, but for those of new versions, which releases.test.ts compares as a whole. */
const alarms = Object.entries(byName('AWS::CloudWatch::Alarm'))
  .filter(([id]) => !id.includes('NewVersion'))
  .map(([id, alarm]) => ({ name: id.replace('Alarms', ''), alarm }));

const stage = 'ApiName=petstore-inventory-prod Stage=<ApiDeploymentStageprod>';
const serverErrors = `AWS/ApiGateway 5XXError ${stage}`;
const throttled = 'PetstoreInventory/prod Throttled';
const listFaults = 'PetstoreInventory/prod ListFaults';
const errorsOf = (name: string) => `AWS/Lambda Errors FunctionName=<${name}>`;
const listErrors = errorsOf('ListInventory');
const invocationsOf = (name: string) => `AWS/Lambda Invocations FunctionName=<${name}>`;
const lists = invocationsOf('ListInventory');
const updates = invocationsOf('UpdateInventory');
const durationOf = (name: string) => `AWS/Lambda Duration p99 FunctionName=<${name}>`;
const updateDuration = durationOf('UpdateInventory');
const refusals = 'PetstoreInventory UnexpectedRefusals Stage=prod';
const blockedBy = (rule: string) =>
  `AWS/WAFV2 BlockedRequests Region=<AWS::Region> Rule=${rule} WebACL=petstore-inventory-prod`;

/**
 * A minute of 10,000 requests an hour, of which every tenth is a list. A function that nobody
 * invokes and a rule of the firewall that blocks nothing publish no zeros.
 */
const usual: Minute = {
  [serverErrors]: 0,
  [updates]: 150,
  [updateDuration]: 50,
  [throttled]: 0,
  [lists]: 17,
  [listFaults]: 0,
  [listErrors]: 0,
};
const night: Minute = {
  [serverErrors]: 0,
  [updates]: 1,
  [updateDuration]: 50,
  [throttled]: 0,
};
const oneList: Minute = { [lists]: 1, [listFaults]: 0, [listErrors]: 0 };
const [authorizer] = all('AWS::ApiGateway::Authorizer');
/** Requests arrive, and none of them reaches an operation. */
const allRefused: Minute = { [serverErrors]: 0, [throttled]: 0 };

/** The only client's key is refused as often as it can be: API Gateway keeps the answer for a while. */
const refused: Minute = {
  ...allRefused,
  [refusals]: 60 / authorizer.AuthorizerResultTtlInSeconds,
};

const flood: Minute = { ...allRefused, [refusals]: 9_999 };

/** Returns 45 minutes of a kind, with `times` minutes in their middle that differ. */
const traffic = (kind: Minute, difference: Minute, times = 1): Minute[] => {
  const minutes = Array<Minute>(45).fill(kind);
  const different = Array<Minute>(times).fill({ ...kind, ...difference });
  return minutes.toSpliced(20, times, ...different);
};

/** Returns minutes of a kind of which every so many differ, as often as `times` says. */
const every = (period: number, different: Minute, times: number, kind = allRefused): Minute[] =>
  Array(times)
    .fill([...Array<Minute>(period - 1).fill(kind), different])
    .flat();
/** Returns minutes of a kind of which some differ: those that have an x. */
const spread = (kind: Minute, difference: Minute, minutes: string): Minute[] =>
  Array.from(minutes, (each) => (each === 'x' ? { ...kind, ...difference } : kind));
/** Three minutes, within five and within six. */
const [withinFive, withinSix] = ['x-x-x', 'xx---x'];
const everyFifth = (kind: Minute, difference: Minute, times: number): Minute[] =>
  every(5, { ...kind, ...difference }, times, kind);

const goneOff = (minutes: Minute[], fillsUnused?: boolean): string[] =>
  alarms
    // Of days in which nothing but copies happens, the others see no more than of such a minute.
    .filter(({ alarm }) => minutes.length < 24 * 60 || looksAtDays(alarm))
    .filter(({ alarm }) => goesOff(alarm, minutes, { fillsUnused }))
    .map(({ name }) => name);

interface Situation {
  /** What the test shows, as the end of a sentence. */
  of: string;
  minutes: Minute[];
  /** Whether the alarm rings only if FILL makes values of a metric that has never had a point. */
  fillsUnused?: boolean;
}

type Situations = [Situation, ...Situation[]];

/** When each alarm goes off, and none besides, and when it is close to going off, but does not. */
const situations: Record<AlarmId, { rings: Situations; rests: Situations }> = {
  ServerErrors: {
    rings: [
      {
        // Such as 400 requests a minute without a key: no metric that an alarm watches counts them.
        of: 'two updates a minute that all fail, and any number of requests that are refused',
        minutes: traffic(allRefused, { [serverErrors]: 2, [updates]: 2, [updateDuration]: 50 }, 5),
        fillsUnused: true,
      },
      {
        of: 'an authorizer that always fails, so that nothing reaches an operation',
        minutes: traffic(allRefused, { [serverErrors]: 167 }, 5),
        fillsUnused: true,
      },
      {
        of: 'three requests that fail at night',
        minutes: traffic(night, { [serverErrors]: 1 }, 3),
        fillsUnused: true,
      },
    ],
    rests: [
      {
        of: 'one failed update at night, which is slow',
        minutes: traffic(night, { [serverErrors]: 1, [updateDuration]: 9_000 }),
      },
      {
        of: 'six failures of 1,000 updates, of which 950 get a 412',
        minutes: traffic({ ...night, [updates]: 200 }, { [serverErrors]: 2 }, 3),
      },
      {
        of: 'two failures every five minutes',
        minutes: everyFifth(night, { [serverErrors]: 2 }, 4),
      },
      ...operations.map(({ name, operationId }) => ({
        of: `99 failures of 10,000 requests of ${operationId}`,
        minutes: [{ [serverErrors]: 99, [invocationsOf(name)]: 10_000 }],
      })),
    ],
  },
  ListFailures: {
    rings: [
      {
        of: 'lists that are all cut off for four minutes',
        minutes: traffic(usual, { [listFaults]: 17 }, 4),
      },
      ...operations
        .filter(({ streams }) => streams)
        .map(({ name, operationId }) => ({
          of: `responses of ${operationId} that Lambda ends, all for four minutes`,
          minutes: traffic(
            {},
            { [invocationsOf(name)]: 17, [errorsOf(name)]: 17, [listFaults]: 0 },
            4,
          ),
        })),
      {
        of: 'three rare lists in a row that are cut off',
        minutes: everyFifth(night, { ...oneList, [listFaults]: 1 }, 3),
      },
    ],
    rests: [
      { of: 'a list of six that is cut off', minutes: traffic(usual, { [listFaults]: 3 }, 40) },
      {
        of: 'two lists at night that are cut off, and counted as errors, too',
        minutes: traffic(night, { ...oneList, [listFaults]: 1, [listErrors]: 1 }, 2),
      },
    ],
  },
  SlowUpdateInventory: {
    rings: [
      {
        of: 'three slow minutes of five',
        minutes: spread(usual, { [updateDuration]: 1_000 }, withinFive),
      },
    ],
    rests: [
      {
        of: 'updates of almost a second',
        minutes: traffic(usual, { [updateDuration]: 999 }, 30),
      },
      { of: 'two slow minutes', minutes: traffic(usual, { [updateDuration]: 9_000 }, 2) },
      {
        of: 'slow minutes of which never three are within five',
        minutes: spread(usual, { [updateDuration]: 9_000 }, withinSix),
      },
      {
        of: 'every fifth minute being slow',
        minutes: everyFifth(usual, { [updateDuration]: 9_000 }, 5),
      },
    ],
  },
  RefusedClients: {
    rings: [
      {
        of: 'a stage that throttles its operations in three minutes of five',
        minutes: spread(usual, { [throttled]: 60 }, withinFive),
        fillsUnused: true,
      },
      ...['ListRequests', 'AllRequests', 'ListRequestsOfKey', 'AllRequestsOfKey'].map((rule) => ({
        of: `requests that the firewall's rule ${rule} blocks`,
        minutes: traffic(usual, { [blockedBy(rule)]: 60 }, 3),
        fillsUnused: true,
      })),
    ],
    rests: [
      { of: '59 throttled requests a minute', minutes: traffic(usual, { [throttled]: 59 }, 30) },
      {
        of: 'minutes with throttled clients of which never three are within five',
        minutes: spread(usual, { [throttled]: 999 }, withinSix),
      },
      {
        of: 'floods without a key, or with too many headers, which the firewall blocks',
        minutes: traffic(
          usual,
          { [blockedBy('RequestsWithoutKey')]: 9_999, [blockedBy('UninspectedHeaders')]: 9_999 },
          10,
        ),
      },
    ],
  },
  NoKeyWorks: {
    rings: [
      {
        of: 'a key of the only client that is unknown, has expired or cannot be read',
        minutes: [...traffic(night, {}), ...Array<Minute>(30).fill(refused)],
        fillsUnused: true,
      },
      {
        of: 'such a client that asks every five minutes only',
        minutes: every(5, { ...allRefused, [refusals]: 1 }, 3),
        fillsUnused: true,
      },
    ],
    rests: [
      {
        // The authorizer counts neither.
        of: 'refusals of revoked and malformed keys alone',
        minutes: traffic(allRefused, {}),
      },
      {
        of: 'refusals of which never three are within 15 minutes',
        minutes: [...every(8, refused, 5), ...Array<Minute>(15).fill(allRefused)],
      },
      {
        of: 'a flood of made-up keys, while one request in 15 minutes has a key that works',
        minutes: [...traffic(usual, {}), ...every(15, { ...flood, [updates]: 1 }, 4, flood)],
      },
      ...operations.map(({ name, operationId }) => ({
        of: `refused keys, while ${operationId} is still reached`,
        minutes: [{ ...refused, [invocationsOf(name)]: 1 }, ...Array<Minute>(14).fill(refused)],
      })),
    ],
  },
};

test.each(alarms)('the e-mail of $name says when it rings', ({ alarm }) => {
  const { AlarmDescription: text, Threshold: threshold, ComparisonOperator } = alarm;
  expect(text).toContain(lookingBack(alarm));
  // Of one that rings when nothing arrives, the threshold is 1.
  const limit = ComparisonOperator.startsWith('Less')
    ? /^/
    : new RegExp(`\\b${threshold}(%| or more)|at least ${threshold}\\b`);
  expect(text.replace('a second or longer', '1000 or more')).toMatch(limit);
});

test('an alarm ends when its metrics end: none waits for data', () => {
  const waiting = alarms.filter(({ alarm }) => !/reaching$/.test(alarm.TreatMissingData));
  expect(waiting).toStrictEqual([]);
});

test('the template has these alarms, and no others', () => {
  expect(alarms.map(({ name }) => name).sort()).toStrictEqual(Object.keys(situations).sort());
});

const rows = Object.entries(situations).flatMap(([id, { rings, rests }]) => [
  ...rings.map((each) => ({ ...each, ids: [id] })),
  ...rests.map((each) => ({ ...each, ids: [] })),
]);

test('the runbook has a section for each alarm, to which its e-mail leads', () => {
  const sections = anchorsOf('docs/runbook.md').map((anchor) => `docs/runbook.md#${anchor}`);
  const lost = alarms.filter(
    ({ alarm }) => !sections.some((section) => alarm.AlarmDescription.endsWith(section)),
  );
  expect(lost).toStrictEqual([]);
});

test.each([
  { of: 'usual traffic', minutes: traffic(usual, {}), ids: [] },
  { of: 'no request at all', minutes: traffic({}, {}), ids: [] },
  ...rows.filter(({ ids }) => ids.length === 0),
])('no e-mail is sent because of $of', ({ minutes }) => {
  expect([goneOff(minutes), goneOff(minutes, true)]).toStrictEqual([[], []]);
});

test.each(rows.filter(({ ids }) => ids.length > 0))(
  '$ids.0 sends an e-mail because of $of',
  ({ minutes, ids, fillsUnused }) => {
    expect(goneOff(minutes, fillsUnused)).toStrictEqual(ids);
  },
);

test.each(rows.filter(({ fillsUnused }) => fillsUnused))(
  '$ids.0 depends on FILL to notice $of',
  ({ minutes }) => {
    expect(goneOff(minutes)).toStrictEqual([]);
  },
);
