import { expect, test } from '@jest/globals';
import type { AlarmId } from '../../../infra/observability/alarm-rows.ts';
import { everySetting } from '../../support/stack/every-setting.ts';
import { templateOf } from '../../support/stack/in-process.ts';
import { type Json, readable } from '../../support/stack/template.ts';
import { minutesOf, type Period, ringsAfter } from './alarm-state.ts';

const { byName } = readable(templateOf('prod', everySetting));
/** The alarms by id, but for those of new versions, which releases.test.ts compares as a whole. */
const alarms: Record<string, Json> = Object.fromEntries(
  Object.entries(byName('AWS::CloudWatch::Alarm'))
    .filter(([id]) => !id.includes('NewVersion'))
    .map(([id, alarm]) => [id.replace('Alarms', ''), alarm]),
);

const blockedBy = (rule: string) =>
  `Sum of AWS/WAFV2 BlockedRequests Region=<AWS::Region> Rule=${rule} WebACL=petstore-inventory-prod`;

/** The metrics that alarms watch, by what they are called here. */
const metrics = {
  failures:
    'Sum of AWS/ApiGateway 5XXError ApiName=petstore-inventory-prod Stage=<ApiDeploymentStageprod>',
  updates: 'Sum of AWS/Lambda Invocations FunctionName=<UpdateInventory>',
  lists: 'Sum of AWS/Lambda Invocations FunctionName=<ListInventory>',
  /** Lists that Lambda ends. */
  listErrors: 'Sum of AWS/Lambda Errors FunctionName=<ListInventory>',
  /** Lists that the function cuts off. */
  listFaults: 'Sum of PetstoreInventory/prod ListFaults',
  /** Milliseconds of the slowest hundredth of all updates. */
  slowest: 'p99 of AWS/Lambda Duration FunctionName=<UpdateInventory>',
  throttled: 'Sum of PetstoreInventory/prod Throttled',
  listsOfAddress: blockedBy('ListRequests'),
  allOfAddress: blockedBy('AllRequests'),
  listsOfKey: blockedBy('ListRequestsOfKey'),
  allOfKey: blockedBy('AllRequestsOfKey'),
  refused: 'Sum of PetstoreInventory UnexpectedRefusals Stage=prod',
  days: `Minimum of AWS/CertificateManager DaysToExpiry CertificateArn=${everySetting.customDomain.certificateArn}`,
};

/** What happens in one period of an alarm. A metric that is left out has no data. */
type Happening = { [Name in keyof typeof metrics]?: number };

const rings = true;
const silent = false;

/** What happens in each period of an alarm, one after the other, and what the alarm does then. */
type Story = [happens: Happening, alarm: boolean][];

/** For each alarm: just below, at, without data, and when it ends. */
const stories: Record<AlarmId, Record<string, Story>> = {
  ServerErrors: {
    'failures at night, when a few are many per cent': [
      [{ updates: 10, failures: 2 }, silent],
      [{ updates: 10, failures: 3 }, rings],
      [{ updates: 10, failures: 2 }, silent],
    ],
    'failures until there are no more requests': [
      [{ updates: 10, failures: 3 }, rings],
      [{}, silent],
    ],
    '1% of many updates': [
      [{ updates: 10_000, failures: 99 }, silent],
      [{ updates: 10_000, failures: 100 }, rings],
      [{ updates: 10_000, failures: 0 }, silent],
    ],
    '1% of many lists': [
      [{ lists: 10_000, failures: 99 }, silent],
      [{ lists: 10_000, failures: 100 }, rings],
      [{ lists: 10_000, failures: 0 }, silent],
    ],
    'an authorizer that always fails, so that nothing is reached': [[{ failures: 9_999 }, rings]],
  },
  ListFailures: {
    'lists that the function cuts off': [
      [{ lists: 9, listErrors: 0, listFaults: 2 }, silent],
      [{ lists: 9, listErrors: 0, listFaults: 3 }, rings],
      [{ lists: 9, listErrors: 0, listFaults: 0 }, silent],
    ],
    '20% of lists, which Lambda ends, until there are no more': [
      [{ lists: 20, listErrors: 3, listFaults: 0 }, silent],
      [{ lists: 20, listErrors: 4, listFaults: 0 }, rings],
      [{}, silent],
    ],
    'no list twice that is counted as both': [[{ lists: 9, listErrors: 2, listFaults: 2 }, silent]],
  },
  SlowUpdateInventory: {
    'three slow minutes of five, until there are fewer': [
      [{ slowest: 1_000 }, silent],
      [{ slowest: 999 }, silent],
      [{ slowest: 1_000 }, silent],
      [{ slowest: 999 }, silent],
      [{ slowest: 1_000 }, rings],
      [{ slowest: 999 }, silent],
    ],
    'slow minutes until there are no more updates': [
      [{ slowest: 9_000 }, silent],
      [{ slowest: 9_000 }, silent],
      [{ slowest: 9_000 }, rings],
      [{}, rings],
      [{}, rings],
      [{}, silent],
    ],
  },
  RefusedClients: {
    'three minutes of five in which the stage throttles, until there are no more requests': [
      [{ throttled: 60 }, silent],
      [{ throttled: 59 }, silent],
      [{ throttled: 60 }, silent],
      [{}, silent],
      [{ throttled: 60 }, rings],
      [{}, silent],
    ],
    'what each rule of the firewall blocks, beside what the stage throttles or alone': [
      [{ throttled: 20, listsOfAddress: 40 }, silent],
      [{ allOfAddress: 60 }, silent],
      [{ listsOfKey: 60 }, rings],
      [{ throttled: 20, allOfKey: 39 }, rings],
      [{ throttled: 20, allOfKey: 39 }, rings],
      [{ throttled: 20, allOfKey: 40 }, rings],
      [{ throttled: 20, allOfKey: 39 }, silent],
    ],
  },
  NoKeyWorks: {
    'a single client that is refused': [
      [{ refused: 2 }, silent],
      [{ refused: 3 }, rings],
      [{ refused: 2 }, silent],
    ],
    // The authorizer counts neither keys that are revoked nor malformed ones.
    'refusals until there are no more': [
      [{ refused: 9 }, rings],
      [{}, silent],
    ],
    'refusals until an update is let in': [
      [{ refused: 9 }, rings],
      [{ refused: 9_999, updates: 1 }, silent],
    ],
    'refusals until a list is let in': [
      [{ refused: 9 }, rings],
      [{ refused: 9_999, lists: 1 }, silent],
    ],
  },
  CertificateExpires: {
    'a certificate until it is renewed': [
      [{ days: 30 }, silent],
      [{ days: 29 }, rings],
      [{ days: 1 }, rings],
      [{ days: 198 }, silent],
    ],
    'a certificate that has expired, but not one that has no data yet': [
      [{}, silent],
      [{ days: 1 }, rings],
      [{}, rings],
    ],
  },
};

/** Returns what happens by the names that CloudWatch has for metrics. */
const periodOf = (happening: Happening): Period =>
  Object.fromEntries(
    Object.entries(happening).map(([name, value]) => [
      metrics[name as keyof typeof metrics],
      value,
    ]),
  );

test('the template has these alarms, and no others', () => {
  expect(Object.keys(alarms).sort()).toStrictEqual(Object.keys(stories).sort());
});

const all = Object.entries(stories).flatMap(([id, ofAlarm]) =>
  Object.entries(ofAlarm).map(([what, story]) => ({ id, what, story })),
);

test.each(all)('$id notices $what', ({ id, story }) => {
  const states = ringsAfter(
    alarms[id],
    story.map(([happening]) => periodOf(happening)),
  );
  expect(story.map(([happening], period) => [happening, states[period]])).toStrictEqual(story);
});

test('no alarm rings in usual traffic', () => {
  // A minute or a quarter of an hour of 10,000 requests an hour, of which every tenth is a list.
  const usual = periodOf({
    failures: 1,
    updates: 150,
    slowest: 50,
    throttled: 0,
    days: 198,
    lists: 17,
    listFaults: 1,
    listErrors: 1,
  });
  const states = Object.values(alarms).flatMap((alarm) => ringsAfter(alarm, Array(9).fill(usual)));
  expect(states).toStrictEqual(states.map(() => silent));
});

test.each(Object.entries(alarms))('the e-mail of %s says when it rings', (_id, alarm) => {
  const { AlarmDescription: text, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
  const limit = new RegExp(`\\b${Threshold}(%| days| or (more|longer))|at least ${Threshold}\\b`);
  expect(text.replace('a second or', '1000 or')).toMatch(limit);
  const minutes = minutesOf(alarm);
  const points =
    EvaluationPeriods === 1 ? minutes : `${DatapointsToAlarm} of ${minutes * EvaluationPeriods}`;
  expect(text).toContain(minutes === 24 * 60 ? 'days' : `in ${points} minutes`);
});
