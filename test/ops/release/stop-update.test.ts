import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Template } from '../../../ops/preflight/template.ts';
import { stopUpdate } from '../../../ops/release/stop-update.ts';
import { clientSettings } from '../../../ops/stage/client-settings.ts';
import { awsError, type FakeAws, fakeAws } from '../../support/ops/fake-aws.ts';
import { templates } from '../../support/stack/synthesized.ts';

const stackName = 'prod-petstore-inventory';
const template = templates.prod as Template;
const readOnly = { accessKeyId: 'READER', secretAccessKey: 'secret' };
const stack = {
  stackName,
  template,
  reader: { ...clientSettings, region: 'eu-west-1', credentials: readOnly },
};

const groups = Object.entries(template.Resources)
  .filter(([, { Type }]) => Type === 'AWS::CodeDeploy::DeploymentGroup')
  .map(([id]) => id);
const groupOf = (name: string): string => `${groups.find((id) => id.startsWith(name))}-1ABC`;
const [ofList, ofUpdate] = [groupOf('ListInventory'), groupOf('UpdateInventory')];

let aws: FakeAws;
const outside = process.env;

/** Returns the stack in the fake AWS. */
const updated = () => {
  const found = aws.stacks.get(stackName);
  if (!found) {
    throw new Error('There is no stack.');
  }
  return found;
};

beforeEach(async () => {
  aws = await fakeAws();
  const physicalIds = Object.keys(template.Resources).map((id) => [id, `${id}-1ABC`]);
  aws.stacks.set(stackName, {
    status: 'UPDATE_IN_PROGRESS',
    template: '{}',
    resources: Object.fromEntries(physicalIds),
  });
  // The SDK's clients read the operator's credentials there.
  process.env = { ...outside, ...aws.environment };
});

afterEach(() => {
  process.env = outside;
  jest.restoreAllMocks();
});

/** Stops the update. Returns what was told, and how often cdk was ended. */
const stop = async () => {
  const told: string[] = [];
  let ends = 0;
  const endDeploy = async () => {
    ends += 1;
  };
  await stopUpdate(stack, { endDeploy, tell: (line) => told.push(line), every: 1 });
  return { told, ends };
};

/** Returns the calls that change something, each as access key, service and action. */
const changes = (): string[] =>
  aws.calls
    .filter((call) => /Stop|Cancel/.test(call))
    .map((call) => call.split(' ').slice(0, 3).join(' '));

test('the shifts of traffic are stopped, and the update is not cancelled', async () => {
  // The stack is rolled back only with the second one.
  aws.shifts.set('d-1', { group: ofList, status: 'InProgress', stack: { ...updated() } });
  aws.shifts.set('d-2', { group: ofUpdate, status: 'InProgress', stack: updated() });
  expect(await stop()).toEqual({ told: [], ends: 0 });

  expect(updated().status).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect([...aws.shifts.values()].map(({ status }) => status)).toEqual(['Stopped', 'Stopped']);
  expect(changes()).toEqual(['AKIA codedeploy StopDeployment', 'AKIA codedeploy StopDeployment']);
});

test('an update that shifts no traffic is cancelled', async () => {
  expect(await stop()).toEqual({ told: [], ends: 0 });
  expect(updated().status).toBe('UPDATE_ROLLBACK_COMPLETE');
  expect(changes()).toEqual(['AKIA cloudformation CancelUpdateStack']);
});

test('CodeDeploy may roll back, and a stack that does not is cancelled', async () => {
  const elsewhere = { ...updated() };
  aws.shifts.set('d-1', { group: ofList, status: 'InProgress', stack: elsewhere });
  aws.shifts.set('d-2', { group: ofList, status: 'InProgress', stack: elsewhere });
  await stop();
  expect(aws.shifts.get('d-2')?.status).toBe('InProgress');
  expect(changes()).toEqual([
    'AKIA codedeploy StopDeployment',
    'AKIA cloudformation CancelUpdateStack',
  ]);
});

test('before CloudFormation has begun, only cdk is ended', async () => {
  updated().status = 'UPDATE_COMPLETE';
  expect(await stop()).toEqual({ told: [], ends: 1 });
  expect(changes()).toEqual([]);
});

test('an update that ends before it is cancelled is no error', async () => {
  aws.replies['cloudformation CancelUpdateStack'] = awsError('ValidationError', 'It has ended.');
  jest.spyOn(aws.calls, 'push').mockImplementation((call) => {
    if (call.includes('CancelUpdateStack')) {
      updated().status = 'UPDATE_COMPLETE';
    }
    return 0;
  });
  expect(await stop()).toEqual({ told: [], ends: 0 });
});

const denied = (action: string) => awsError('AccessDenied', `not authorized to perform: ${action}`);

test('without the permission to stop the traffic, the command that does it is told', async () => {
  aws.shifts.set('d-1', { group: ofList, status: 'InProgress', stack: updated() });
  aws.replies['codedeploy StopDeployment'] = denied('codedeploy:StopDeployment');
  const { told } = await stop();
  expect(told).toEqual([
    `\
The deployment goes on: These credentials may not do codedeploy:StopDeployment: \
not authorized to perform: codedeploy:StopDeployment
Stop it now, with the permissions in docs/permissions.md#to-release-prod:
aws deploy stop-deployment --region eu-west-1 --deployment-id d-1 --auto-rollback-enabled`,
  ]);
});

test('without the permission to cancel the update, the command that does it is told', async () => {
  aws.replies['cloudformation CancelUpdateStack'] = denied('cloudformation:CancelUpdateStack');
  const { told } = await stop();
  const command = 'aws cloudformation cancel-update-stack';
  const options = `--region eu-west-1 --stack-name ${stackName}`;
  expect(told[0]?.split('\n').at(-1)).toBe(`${command} ${options}`);
});

test('docs/permissions.md has the permissions that a stop needs, and no more', async () => {
  await stop();
  updated().status = 'UPDATE_IN_PROGRESS';
  aws.shifts.set('d-1', { group: ofList, status: 'InProgress', stack: updated() });
  await stop();
  const page = readFileSync('docs/permissions.md', 'utf8');
  const [, statement = '{}'] =
    /^## To release prod\n[\s\S]*?^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const needed = changes().map((call) => call.replace('AKIA ', '').replace(' ', ':'));
  expect(JSON.parse(statement).Action.toSorted()).toEqual(needed.toSorted());
});
