import type { Stack } from '@aws-sdk/client-cloudformation';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { lossesOf, replacementsOf } from '../../../ops/release/losses.ts';
import { findTarget } from '../../../ops/release/target.ts';
import { clientSettings } from '../../../ops/stage/client-settings.ts';
import { adviceFor } from '../../../ops/stage/stack.ts';
import { serve } from '../../support/http/serve.ts';
import { awsError, type FakeAws, fakeAws } from '../../support/ops/fake-aws.ts';
import { assemblyOf, tableOf, templateOf } from '../../support/ops/release-assembly.ts';

let aws: FakeAws;
const outside = process.env;

beforeEach(async () => {
  aws = await fakeAws({
    'staging-petstore-inventory': { status: 'UPDATE_COMPLETE', template: templateOf('old') },
  });
  process.env = { ...outside, ...aws.environment };
});
afterEach(() => {
  process.env = outside;
  jest.restoreAllMocks();
});

/** Finds where an assembly of staging for this account and region would be deployed. */
const targetIn = (environment?: string) =>
  findTarget({
    stageName: 'staging',
    assembly: assemblyOf(templateOf('new'), environment),
    cdkOptions: ' --app cdk.out',
  });

test('the stack of a stage and its two templates are read with the role of the bootstrap', async () => {
  expect(await targetIn()).toEqual({
    stackName: 'staging-petstore-inventory',
    stack: expect.objectContaining({ StackStatus: 'UPDATE_COMPLETE' }),
    before: templateOf('old'),
    after: templateOf('new'),
  });
  expect(aws.calls).toEqual([
    'AKIA sts:GetCallerIdentity',
    'AKIA sts:AssumeRole',
    'ASIA cloudformation:DescribeStacks staging-petstore-inventory',
    'ASIA cloudformation:GetTemplate staging-petstore-inventory',
  ]);
});

test('they are read with the credentials alone if these may not assume that role', async () => {
  aws.replies.AssumeRole = awsError('AccessDenied', 'no');
  await targetIn();
  expect(aws.calls.slice(2)).toEqual([
    'AKIA cloudformation:DescribeStacks staging-petstore-inventory',
    'AKIA cloudformation:GetTemplate staging-petstore-inventory',
  ]);
});

test('AWS is not waited for without end', async () => {
  jest.replaceProperty(clientSettings.requestHandler, 'requestTimeout', 50);
  process.env.AWS_ENDPOINT_URL = await serve(() => {});
  process.env.AWS_MAX_ATTEMPTS = '1';
  await expect(targetIn()).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a stage of an account that the credentials do not reach is an error', async () => {
  aws.replies.AssumeRole = awsError('AccessDenied', 'no');
  await expect(targetIn('aws://444455556666/us-east-1')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'staging belongs to account 444455556666, but these credentials are for 111122223333.',
    details: { hint: 'Set AWS_PROFILE.' },
  });
});

test.each([
  { environment: 'aws://111122223333/eu-west-1', region: 'eu-west-1' },
  { environment: 'aws://unknown-account/unknown-region', region: 'us-east-1' },
])('for $environment, a stage that is not deployed is missing in $region', async (row) => {
  delete aws.stacks['staging-petstore-inventory'];
  await expect(targetIn(row.environment)).rejects.toMatchObject({
    code: 'unavailable',
    message:
      `staging is not deployed: ${row.region} has no stack staging-petstore-inventory ` +
      'in the account of these credentials.',
    details: {
      hint: expect.stringMatching(/: npx cdk deploy --no-rollback 'staging\/\*' --app cdk\.out$/),
    },
  });
});

const first = "npx cdk deploy --no-rollback 'prod/*' --app cdk.out";
const goOn =
  'Its first deployment is not finished. Fix the cause and continue. If the CDK asks whether to ' +
  `roll back, answer no, and never use --force (docs/deploy.md#when-a-deployment-fails): ${first}`;
const anew = 'Its first deployment was rolled back. Fix the cause and begin anew: ';
const unprotect =
  'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
  '--stack-name prod-petstore-inventory && ';
const rollBack = "Roll it back: npx cdk rollback 'prod/*' --app cdk.out";
const Outputs = [{ OutputKey: 'BaseUrl', OutputValue: 'https://pets.example/v1' }];

test.each<Partial<Stack> & { advice: string | undefined }>([
  { StackStatus: 'UPDATE_COMPLETE', Outputs, advice: undefined },
  {
    StackStatus: 'UPDATE_IN_PROGRESS',
    Outputs,
    advice:
      'Wait until it has finished: aws cloudformation describe-stacks ' +
      "--stack-name prod-petstore-inventory --query 'Stacks[0].StackStatus'",
  },
  { StackStatus: 'REVIEW_IN_PROGRESS', advice: `Deploy it first: ${first}` },
  { StackStatus: 'DELETE_COMPLETE', advice: `Deploy it first: ${first}` },
  { StackStatus: 'CREATE_FAILED', advice: goOn },
  { StackStatus: 'UPDATE_FAILED', advice: goOn },
  { StackStatus: 'UPDATE_FAILED', Outputs, advice: rollBack },
  { StackStatus: 'UPDATE_ROLLBACK_FAILED', Outputs, advice: rollBack },
  { StackStatus: 'ROLLBACK_COMPLETE', advice: `${anew}${first}` },
  {
    StackStatus: 'ROLLBACK_FAILED',
    EnableTerminationProtection: true,
    advice: `${anew}${unprotect}${first}`,
  },
  {
    StackStatus: 'DELETE_FAILED',
    Outputs,
    advice: "Fix the cause and delete it again: npx cdk destroy 'prod/*' --app cdk.out",
  },
  {
    StackStatus: 'IMPORT_ROLLBACK_FAILED',
    Outputs,
    advice: 'Repair it in the CloudFormation console.',
  },
])('about a stack in $StackStatus, the advice is: $advice', ({ advice, ...state }) => {
  const stack = { StackName: 'prod-petstore-inventory', ...state } as Stack;
  expect(adviceFor({ stageName: 'prod', stack, cdkOptions: ' --app cdk.out' })).toBe(advice);
});

const resource = (Type: string, more: object = {}) => ({ Type, Properties: {}, ...more });
const restApi = resource('AWS::ApiGateway::RestApi');
const stage = resource('AWS::ApiGateway::Stage');
const domain = resource('AWS::ApiGateway::DomainName');
const retained = { ...tableOf('petId'), DeletionPolicy: 'Retain' };

test.each([
  {
    change: 'nothing',
    before: { Table: tableOf('petId') },
    after: { Table: tableOf('petId') },
    losses: [],
  },
  {
    change: 'a setting of a table',
    before: { Table: tableOf('petId') },
    after: { Table: tableOf('petId', { BillingMode: 'PAY_PER_REQUEST' }) },
    losses: [],
  },
  {
    change: 'the key of a table',
    before: { Table: tableOf('petId') },
    after: { Table: tableOf('id') },
    losses: ['replaces Table (AWS::DynamoDB::GlobalTable)'],
  },
  {
    change: 'the logical ID of a table that is retained',
    before: { Old: retained },
    after: { New: retained },
    losses: ['leaves behind Old (AWS::DynamoDB::GlobalTable)'],
  },
  {
    change: 'the logical ID of the API and its stage',
    before: { Api: restApi, Stage: stage },
    after: { NewApi: restApi, NewStage: stage },
    losses: ['deletes Api (AWS::ApiGateway::RestApi)', 'deletes Stage (AWS::ApiGateway::Stage)'],
  },
  {
    change: 'the domain, which is removed',
    before: { Domain: domain },
    after: {},
    losses: ['deletes Domain (AWS::ApiGateway::DomainName)'],
  },
  {
    change: 'versions and deployments, which every change of code replaces',
    before: { V1: resource('AWS::Lambda::Version'), D1: resource('AWS::ApiGateway::Deployment') },
    after: { V2: resource('AWS::Lambda::Version'), D2: resource('AWS::ApiGateway::Deployment') },
    losses: [],
  },
])('a deployment that changes $change loses $losses', ({ before, after, losses }) => {
  expect(lossesOf({ Resources: before }, { Resources: after })).toEqual(losses);
});

test('a resource of any type is named if it is replaced', () => {
  const queue = (QueueName: string) => ({ Type: 'AWS::SQS::Queue', Properties: { QueueName } });
  const before = { Resources: { Queue: queue('a'), Table: tableOf('petId') } };
  const after = { Resources: { Queue: queue('b'), Table: tableOf('petId') } };
  expect(replacementsOf(before, after)).toEqual(['Queue']);
});
