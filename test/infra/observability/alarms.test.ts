import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../infra/service/operations.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import { goesOff, type Minute } from './alarm-state.ts';

const { all, byName } = stackOf('prod');
const alarms = Object.entries(byName('AWS::CloudWatch::Alarm'))
  .filter(([id]) => id.startsWith('Alarms'))
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
const everyFifth = (kind: Minute, difference: Minute, times: number): Minute[] =>
  every(5, { ...kind, ...difference }, times, kind);

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
      // The authorizer counts neither.
      blip: 'refusals of revoked and malformed keys alone',
      minutes: traffic(allRefused, {}, 45),
    },
    {
      blip: 'refusals of which never three are within 15 minutes',
      minutes: [...every(8, refused, 6), ...Array<Minute>(15).fill(allRefused)],
    },
    {
      blip: 'a flood of made-up keys, while one request in 15 minutes has a key that works',
      minutes: [...traffic(usual, {}), ...every(15, { ...flood, [updates]: 1 }, 4, flood)],
    },
  ])('$blip', ({ minutes }) => {
    expect(goneOff(minutes)).toStrictEqual([]);
  });

  test.each(operations)('five failures of 1,000 requests of $operationId', ({ name }) => {
    const requests = { [invocationsOf(name)]: 1_000 };
    expect(goneOff([{ [serverErrors]: 5, ...requests }])).toStrictEqual([]);
  });

  test.each(operations)('refused keys, while $operationId is still reached', ({ name }) => {
    const reached = { ...refused, [invocationsOf(name)]: 1 };
    expect(goneOff([reached, ...Array<Minute>(14).fill(refused)])).toStrictEqual([]);
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
    ...operations
      .filter(({ streams }) => streams)
      .map(({ name, operationId }) => ({
        incident: `Lambda ends all responses of ${operationId} for four minutes`,
        minutes: traffic(
          {},
          { [invocationsOf(name)]: 17, [errorsOf(name)]: 17, [listFaults]: 0 },
          4,
        ),
        mails: ['ListFailures'],
      })),
    {
      incident: 'three rare lists in a row are cut off',
      minutes: everyFifth(night, { ...oneList, [listFaults]: 1 }, 3),
      mails: ['ListFailures'],
    },
    ...operations
      .filter(({ streams }) => !streams)
      .map(({ name, operationId }) => ({
        incident: `${operationId} is slow`,
        minutes: traffic(usual, { [durationOf(name)]: 1_000 }, 3),
        mails: [`Slow${name}`],
      })),
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
      incident: 'the key of the only client is unknown, has expired or cannot be read',
      minutes: [...traffic(night, {}), ...Array<Minute>(30).fill(refused)],
      mails: ['NoKeyWorks'],
    },
    {
      incident: 'such a client asks every five minutes only',
      minutes: every(5, refused, 3),
      mails: ['NoKeyWorks'],
    },
  ])('$incident', ({ minutes, mails }) => {
    expect(goneOff(minutes)).toStrictEqual(mails);
  });
});
