import { describe, expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import { goesOff, type Minute } from './alarm-state.ts';

const { byName } = stackOf('prod');
const alarms = Object.entries(byName('AWS::CloudWatch::Alarm'))
  .filter(([id]) => id.startsWith('Alarms'))
  .map(([id, alarm]) => ({ name: id.replace('Alarms', ''), alarm }));

const stage = 'ApiName=petstore-inventory-prod Stage=<ApiDeploymentStageprod>';
const serverErrors = `AWS/ApiGateway 5XXError ${stage}`;
const throttled = 'PetstoreInventory/prod Throttled';
const listFaults = 'PetstoreInventory/prod ListFaults';
const listErrors = 'AWS/Lambda Errors FunctionName=<ListInventory>';
const lists = 'AWS/Lambda Invocations FunctionName=<ListInventory>';
const updates = 'AWS/Lambda Invocations FunctionName=<UpdateInventory>';
const updateDuration = 'AWS/Lambda Duration p99 FunctionName=<UpdateInventory>';
const refusedKeys = 'PetstoreInventory/prod RefusedKeys';
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
  [refusedKeys]: 0,
};
const night: Minute = {
  [serverErrors]: 0,
  [updates]: 1,
  [updateDuration]: 50,
  [throttled]: 0,
  [refusedKeys]: 0,
};
const oneList: Minute = { [lists]: 1, [listFaults]: 0, [listErrors]: 0 };
/** Requests arrive, and none of them reaches an operation. */
const allRefused: Minute = { [serverErrors]: 0, [throttled]: 0, [refusedKeys]: 0 };

/** Returns 45 minutes of a kind, with `times` minutes in their middle that differ. */
const traffic = (kind: Minute, difference: Minute, times = 1): Minute[] => {
  const minutes = Array<Minute>(45).fill(kind);
  const different = Array<Minute>(times).fill({ ...kind, ...difference });
  return minutes.toSpliced(20, times, ...different);
};

/** Returns minutes of a kind of which every fifth differs, as often as `times` says. */
const everyFifth = (kind: Minute, difference: Minute, times: number): Minute[] =>
  Array(times)
    .fill([kind, kind, kind, kind, { ...kind, ...difference }])
    .flat();

const goneOff = (minutes: Minute[]): string[] =>
  alarms.filter(({ alarm }) => goesOff(alarm, minutes)).map(({ name }) => name);

describe('no e-mail is sent for', () => {
  test.each([
    { blip: 'usual traffic', minutes: traffic(usual, {}) },
    { blip: 'no request at all', minutes: traffic({}, {}) },
    {
      blip: 'one failed update at night, which is slow',
      minutes: traffic(night, { [serverErrors]: 1, [updateDuration]: 9_000 }),
    },
    {
      blip: 'six failures of 1,000 updates, of which 950 get a 412',
      minutes: traffic({ ...night, [updates]: 200 }, { [serverErrors]: 2 }, 3),
    },
    { blip: 'a list of six that is cut off', minutes: traffic(usual, { [listFaults]: 3 }, 40) },
    {
      blip: 'two lists at night that are cut off, and counted as errors, too',
      minutes: traffic(night, { ...oneList, [listFaults]: 1, [listErrors]: 1 }, 2),
    },
    { blip: 'updates of almost a second', minutes: traffic(usual, { [updateDuration]: 999 }, 30) },
    { blip: 'two slow minutes', minutes: traffic(usual, { [updateDuration]: 9_000 }, 2) },
    {
      blip: 'slow minutes of which never three are within five',
      minutes: everyFifth(usual, { [updateDuration]: 9_000 }, 5),
    },
    { blip: '59 throttled requests a minute', minutes: traffic(usual, { [throttled]: 59 }, 30) },
    {
      blip: 'two minutes in which a client is throttled',
      minutes: traffic(usual, { [throttled]: 999 }, 2),
    },
    {
      blip: 'floods without a key, or with too many headers, which the firewall blocks',
      minutes: traffic(
        usual,
        { [blockedBy('RequestsWithoutKey')]: 9_999, [blockedBy('UninspectedHeaders')]: 9_999 },
        10,
      ),
    },
    {
      blip: 'one client with a revoked key at night, which asks as often as it can',
      minutes: traffic(allRefused, { [refusedKeys]: 1.2 }, 45),
    },
    {
      blip: 'a flood of keys that nobody has, while clients are served',
      minutes: traffic(night, { [refusedKeys]: 9_999 }, 45),
    },
  ])('$blip', ({ minutes }) => {
    expect(goneOff(minutes)).toStrictEqual([]);
  });
});

describe('an e-mail is sent if', () => {
  test.each([
    {
      // Such as 400 requests a minute without a key: no metric that an alarm watches counts them.
      incident: 'two updates a minute all fail, and any number of requests is refused',
      minutes: traffic(allRefused, { [serverErrors]: 2, [updates]: 2, [updateDuration]: 50 }, 5),
      mails: ['ServerErrors'],
    },
    {
      incident: 'the authorizer always fails, so that nothing reaches an operation',
      minutes: traffic(allRefused, { [serverErrors]: 167 }, 5),
      mails: ['ServerErrors'],
    },
    {
      incident: 'three requests fail at night',
      minutes: traffic(night, { [serverErrors]: 1 }, 3),
      mails: ['ServerErrors'],
    },
    {
      incident: 'all lists are cut off for four minutes',
      minutes: traffic(usual, { [listFaults]: 17 }, 4),
      mails: ['ListFailures'],
    },
    {
      incident: 'Lambda ends all lists for four minutes',
      minutes: traffic(usual, { [listErrors]: 17 }, 4),
      mails: ['ListFailures'],
    },
    {
      incident: 'three rare lists in a row are cut off',
      minutes: everyFifth(night, { ...oneList, [listFaults]: 1 }, 3),
      mails: ['ListFailures'],
    },
    {
      incident: 'updates are slow',
      minutes: traffic(usual, { [updateDuration]: 1_000 }, 3),
      mails: ['SlowUpdates'],
    },
    {
      incident: 'the stage throttles its operations',
      minutes: traffic(usual, { [throttled]: 60 }, 3),
      mails: ['RefusedClients'],
    },
    ...['ListRequests', 'AllRequests', 'ListRequestsOfKey', 'AllRequestsOfKey'].map((rule) => ({
      incident: `the firewall's rule ${rule} blocks requests`,
      minutes: traffic(usual, { [blockedBy(rule)]: 60 }, 3),
      mails: ['RefusedClients'],
    })),
    {
      incident: 'the table of keys has become empty, so that two keys a minute are refused',
      minutes: [
        ...Array<Minute>(15).fill(usual),
        ...Array<Minute>(16).fill({ ...allRefused, [refusedKeys]: 2 }),
      ],
      mails: ['NoKeyWorks'],
    },
  ])('$incident', ({ minutes, mails }) => {
    expect(goneOff(minutes)).toStrictEqual(mails);
  });
});
