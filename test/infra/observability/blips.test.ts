import { expect, test } from '@jest/globals';
import { stageOf } from '../../support/stack/in-process.ts';
import { prod } from '../../support/stack/stages.ts';
import { goesOff, type Minute } from './alarm-state.ts';

const alarms = Object.entries(stageOf(prod).byName('AWS::CloudWatch::Alarm')).filter(([id]) =>
  id.startsWith('Alarms'),
);

const stage = 'ApiName=petstore-inventory-test Stage=<ApiDeploymentStagetest>';
const patch = 'Method=PATCH Resource=/v1/inventory/{petId} Stage=<ApiDeploymentStagetest>';
const requests = `AWS/ApiGateway Count ${stage}`;
const serverErrors = `AWS/ApiGateway 5XXError ${stage}`;
const updateLatency = `AWS/ApiGateway Latency ApiName=petstore-inventory-test ${patch}`;
const faults = 'PetstoreInventory Faults Stage=test';
const rejected = 'PetstoreInventory/test Throttled';
const listErrors = 'AWS/Lambda Errors FunctionName=<ListInventory>';
const lists = 'AWS/Lambda Invocations FunctionName=<ListInventory>';
const listDuration = 'AWS/Lambda Duration FunctionName=<ListInventory>';
const updateErrors = 'AWS/Lambda Errors FunctionName=<UpdateInventory>';
const updateThrottles = 'AWS/Lambda Throttles FunctionName=<UpdateInventory>';
const updateDuration = 'AWS/Lambda Duration FunctionName=<UpdateInventory>';
const authorizerErrors = 'AWS/Lambda Errors FunctionName=<Authorizer>';
const authorizerDuration = 'AWS/Lambda Duration FunctionName=<Authorizer>';
const tableThrottles =
  'AWS/DynamoDB ThrottledRequests Operation=UpdateItem TableName=<InventoryTable>';

/** A minute of 10,000 requests an hour, of which every tenth is a list. */
const usual: Minute = {
  [requests]: 167,
  [serverErrors]: 0,
  [updateLatency]: 50,
  [rejected]: 0,
  [lists]: 17,
  [listErrors]: 0,
  [listDuration]: 500,
  [updateErrors]: 0,
  [updateThrottles]: 0,
  [updateDuration]: 20,
  [authorizerErrors]: 0,
  [authorizerDuration]: 20,
};
const night: Minute = { [requests]: 1, [serverErrors]: 0 };

const timeLimit = 10_000;
const listTimeLimit = 60_000;

/** Returns half an hour of a kind, with `times` minutes in its middle that differ. */
const halfHour = (kind: Minute, difference: Minute, times = 1): Minute[] => {
  const minutes = Array<Minute>(30).fill(kind);
  const different = Array<Minute>(times).fill({ ...kind, ...difference });
  return minutes.toSpliced(15, times, ...different);
};

const goneOff = (minutes: Minute[]) =>
  alarms.filter(([, alarm]) => goesOff(alarm, minutes)).map(([id]) => id.replace('Alarms', ''));

const failedUpdate: Minute = {
  [serverErrors]: 1,
  [faults]: 1,
  [updateErrors]: 1,
  [updateDuration]: timeLimit,
  [updateLatency]: timeLimit,
};
const unreadList: Minute = { [lists]: 1, [listErrors]: 1, [listDuration]: listTimeLimit };

test.each([
  { blip: 'usual traffic', minutes: halfHour(usual, {}) },
  { blip: 'no request at all', minutes: halfHour({}, {}) },
  { blip: 'one failed update', minutes: halfHour(usual, failedUpdate) },
  { blip: 'one failed update at night', minutes: halfHour(night, failedUpdate) },
  {
    blip: 'one update that DynamoDB throttles three times',
    minutes: halfHour(usual, { ...failedUpdate, [tableThrottles]: 3 }),
  },
  {
    blip: 'one update that Lambda does not run',
    minutes: halfHour(usual, { [serverErrors]: 1, [updateThrottles]: 1 }),
  },
  {
    blip: 'one request that the authorizer fails',
    minutes: halfHour(usual, {
      [serverErrors]: 1,
      [faults]: 1,
      [authorizerErrors]: 1,
      [authorizerDuration]: timeLimit,
    }),
  },
  { blip: 'one list that nobody reads', minutes: halfHour(usual, { [listErrors]: 1 }) },
  { blip: 'one list at night, which nobody reads', minutes: halfHour(night, unreadList) },
  { blip: 'one list that is cut off', minutes: halfHour(usual, { [faults]: 1 }) },
  {
    blip: 'one slow minute',
    minutes: halfHour(usual, {
      [updateLatency]: timeLimit,
      [updateDuration]: timeLimit,
      [authorizerDuration]: timeLimit,
      [listDuration]: listTimeLimit,
    }),
  },
  {
    blip: 'one minute in which a client is throttled',
    minutes: halfHour(usual, { [rejected]: 1_000 }),
  },
])('$blip sends no mail', ({ minutes }) => {
  expect(goneOff(minutes)).toEqual([]);
});

test.each([
  {
    incident: 'all updates fail',
    minutes: halfHour(usual, { [serverErrors]: 150, [faults]: 150, [updateErrors]: 150 }, 5),
    mails: ['ServerErrors', 'Faults', 'UpdateInventoryErrors'],
  },
  {
    incident: 'three requests fail at night',
    minutes: halfHour(night, { [serverErrors]: 1, [faults]: 1 }, 3),
    mails: ['ServerErrors', 'Faults'],
  },
  {
    incident: 'every list is cut off by an entry that is not valid',
    minutes: halfHour(usual, { [faults]: 17 }, 5),
    mails: ['Faults'],
  },
  {
    incident: 'all lists end at the time limit',
    minutes: halfHour(usual, { [listErrors]: 17, [listDuration]: listTimeLimit }, 5),
    mails: ['ListInventoryErrors', 'ListInventoryDuration'],
  },
  {
    incident: 'the authorizer fails',
    minutes: halfHour(
      usual,
      { [serverErrors]: 60, [faults]: 60, [authorizerErrors]: 60, [authorizerDuration]: timeLimit },
      5,
    ),
    mails: ['ServerErrors', 'Faults', 'AuthorizerErrors', 'AuthorizerDuration'],
  },
  {
    incident: 'updates take as long as they may',
    minutes: halfHour(usual, { [updateDuration]: timeLimit, [updateLatency]: timeLimit }, 5),
    mails: ['UpdateInventoryDuration', 'UpdateInventoryLatency'],
  },
  {
    incident: 'Lambda does not run the updates',
    minutes: halfHour(usual, { [serverErrors]: 150, [updateThrottles]: 150 }, 5),
    mails: ['ServerErrors', 'UpdateInventoryThrottles'],
  },
  {
    incident: 'DynamoDB throttles updates',
    minutes: halfHour(usual, { [tableThrottles]: 5 }, 5),
    mails: ['InventoryUpdateItemThrottles'],
  },
  {
    incident: 'updates are slow',
    minutes: halfHour(usual, { [updateLatency]: 2_000 }, 5),
    mails: ['UpdateInventoryLatency'],
  },
  {
    incident: 'clients are throttled',
    minutes: halfHour(usual, { [rejected]: 100 }, 5),
    mails: ['Throttling'],
  },
])('an e-mail says that $incident', ({ minutes, mails }) => {
  expect(goneOff(minutes).sort()).toEqual(mails.sort());
});
