import { expect, test } from '@jest/globals';
import type { AlarmId } from '../../../infra/observability/alarm-rows.ts';
import { everySetting } from '../../support/stack/every-setting.ts';
import { templateOf } from '../../support/stack/in-process.ts';
import { type Json, readable } from '../../support/stack/template.ts';
import { minutesOf, type Period, statesOf } from './alarm-state.ts';

const { byName } = readable(templateOf('prod', everySetting));
/** The alarms by id, but for those of new versions, which releases.test.ts compares as a whole. */
const alarms: Record<string, Json> = Object.fromEntries(
  Object.entries(byName('AWS::CloudWatch::Alarm'))
    .filter(([id]) => !id.includes('NewVersion'))
    .map(([id, alarm]) => [id.replace('Alarms', ''), alarm]),
);

const failures =
  'AWS/ApiGateway 5XXError ApiName=petstore-inventory-prod Stage=<ApiDeploymentStageprod>';
const lists = 'AWS/Lambda Invocations FunctionName=<ListInventory>';
const listErrors = 'AWS/Lambda Errors FunctionName=<ListInventory>';
const listFaults = 'PetstoreInventory/prod ListFaults';
const updates = 'AWS/Lambda Invocations FunctionName=<UpdateInventory>';
const slowest = 'AWS/Lambda Duration FunctionName=<UpdateInventory>';
const throttled = 'PetstoreInventory/prod Throttled';
const blockedBy = (rule: string) =>
  `AWS/WAFV2 BlockedRequests Region=<AWS::Region> Rule=${rule} WebACL=petstore-inventory-prod`;
const refusals = 'PetstoreInventory UnexpectedRefusals Stage=prod';
const days = `AWS/CertificateManager DaysToExpiry CertificateArn=${everySetting.customDomain.certificateArn}`;

/** Nothing happens. */
const none: Period = {};

/** Returns periods in which one metric has these values, and others the same in each. */
const values = (metric: string, ofMetric: number[], others: Period = none): Period[] =>
  ofMetric.map((value) => ({ ...others, [metric]: value }));

interface Situation {
  /** What the alarm notices, or does not. */
  what: string;
  /** What happens in its periods. */
  periods: Period[];
  /** Its state after each of them: `!` while it rings, else `.`. */
  states: string;
}

/** When each alarm begins to ring, when it is close to that, and when it ends. */
const situations: Record<AlarmId, Situation[]> = {
  ServerErrors: [
    {
      what: '3 failures at night, but not 2',
      periods: [...values(failures, [2, 3, 2], { [updates]: 10 }), none],
      states: '.!..',
    },
    {
      what: 'failures until there are no data',
      periods: [...values(failures, [3]), none],
      states: '!.',
    },
    ...Object.entries({ updates, lists }).map(([name, metric]) => ({
      what: `100 of 10,000 ${name}, but not 99`,
      periods: values(failures, [99, 100, 0], { [metric]: 10_000 }),
      states: '.!.',
    })),
    {
      what: 'an authorizer that always fails, so that nothing is reached',
      periods: values(failures, [9_999]),
      states: '!',
    },
  ],
  ListFailures: [
    {
      what: '3 lists that the function cuts off, but not 2',
      periods: values(listFaults, [2, 3, 0], { [listErrors]: 0, [lists]: 9 }),
      states: '.!.',
    },
    {
      what: '4 of 20 lists that Lambda ends, but not 3, until there are no data',
      periods: [...values(listErrors, [3, 4], { [listFaults]: 0, [lists]: 20 }), none],
      states: '.!.',
    },
    {
      what: 'no list twice that is counted as both',
      periods: values(listFaults, [2], { [listErrors]: 2, [lists]: 9 }),
      states: '.',
    },
  ],
  SlowUpdateInventory: [
    {
      what: 'three slow minutes of five, until there are fewer',
      periods: values(slowest, [1_000, 999, 1_000, 999, 1_000, 999, 999]),
      states: '....!..',
    },
    {
      what: 'slow minutes until there are no data',
      periods: [...values(slowest, [9_000, 9_000, 9_000]), none, none, none],
      states: '..!!!.',
    },
    {
      what: 'no slow minutes of which never three are within five',
      periods: values(slowest, [9_000, 9_000, 9, 9, 9, 9_000]),
      states: '......',
    },
  ],
  RefusedClients: [
    {
      what: 'three minutes of five with 60 throttled requests, but not with 59',
      periods: values(throttled, [60, 59, 60, 59, 60, 59]),
      states: '....!.',
    },
    ...['ListRequests', 'AllRequests', 'ListRequestsOfKey', 'AllRequestsOfKey'].map((rule) => ({
      what: `what ${rule} blocks beside those, until there are no data`,
      periods: [...values(throttled, [20, 20, 20], { [blockedBy(rule)]: 40 }), none, none, none],
      states: '..!!!.',
    })),
  ],
  NoKeyWorks: [
    { what: '3 refusals, but not 2', periods: values(refusals, [2, 3, 2]), states: '.!.' },
    // The authorizer counts neither keys that are revoked nor malformed ones.
    {
      what: 'refusals until there are no data',
      periods: [...values(refusals, [9]), none],
      states: '!.',
    },
    ...Object.entries({ updates, lists }).map(([name, metric]) => ({
      what: `refusals until one of all ${name} is let in`,
      periods: [...values(refusals, [9]), ...values(refusals, [9_999], { [metric]: 1 })],
      states: '!.',
    })),
  ],
  CertificateExpires: [
    {
      what: '29 days, until it is renewed',
      periods: values(days, [30, 29, 1, 198]),
      states: '.!!.',
    },
    {
      what: 'a certificate that has expired, but not one that has no data yet',
      periods: [none, ...values(days, [1]), none],
      states: '.!!',
    },
  ],
};

test('the template has these alarms, and no others', () => {
  expect(Object.keys(alarms).sort()).toStrictEqual(Object.keys(situations).sort());
});

test.each(
  Object.entries(situations).flatMap(([id, ofAlarm]) => ofAlarm.map((each) => ({ id, ...each }))),
)('$id notices $what', ({ id, periods, states }) => {
  expect(statesOf(alarms[id], periods)).toBe(states);
});

/** A minute or a quarter of an hour of 10,000 requests an hour, of which every tenth is a list. */
const usual = { [failures]: 1, [updates]: 150, [slowest]: 50, [throttled]: 0, [days]: 198 };
const usualLists = { [lists]: 17, [listFaults]: 1, [listErrors]: 1 };

test('no alarm rings in usual traffic', () => {
  const periods = Array<Period>(9).fill({ ...usual, ...usualLists });
  const states = Object.values(alarms).map((alarm) => statesOf(alarm, periods));
  expect(new Set(states)).toStrictEqual(new Set(['.........']));
});

const rows = Object.entries(alarms).map(([name, alarm]) => ({ name, alarm }));

test.each(rows)('the e-mail of $name says when it rings', ({ alarm }) => {
  const { AlarmDescription: text, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
  const limit = new RegExp(`\\b${Threshold}(%| days| or (more|longer))|at least ${Threshold}\\b`);
  expect(text.replace('a second or', '1000 or')).toMatch(limit);
  const minutes = minutesOf(alarm);
  const points = EvaluationPeriods === 1 ? minutes : `${DatapointsToAlarm} of ${EvaluationPeriods}`;
  expect(text).toContain(minutes === 24 * 60 ? 'days' : `in ${points} minutes`);
});

test('the e-mail of an alarm leads to the runbook, and to the dashboard', () => {
  const [{ DashboardName }] = Object.values(byName('AWS::CloudWatch::Dashboard')) as [Json];
  const lost = rows.filter(
    ({ alarm: { AlarmDescription: text } }) =>
      !(text.includes('docs/runbook.md and ') && text.endsWith(`/${DashboardName}`)),
  );
  expect(lost.map(({ name }) => name)).toStrictEqual([]);
});
