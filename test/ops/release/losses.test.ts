import { expect, test } from '@jest/globals';
import { lossesOf, replacementsOf } from '../../../ops/release/losses.ts';

const resource = (Type: string, more: object = {}) => ({ Type, Properties: {}, ...more });
const table = (key: string, more: object = {}) => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  Properties: { KeySchema: [{ AttributeName: key, KeyType: 'HASH' }], ...more },
});

const restApi = resource('AWS::ApiGateway::RestApi');
const stage = resource('AWS::ApiGateway::Stage');
const domain = resource('AWS::ApiGateway::DomainName');
const retained = { ...table('petId'), DeletionPolicy: 'Retain' };

test.each([
  {
    change: 'nothing',
    before: { Table: table('petId') },
    after: { Table: table('petId') },
    losses: [],
  },
  {
    change: 'a setting of a table',
    before: { Table: table('petId') },
    after: { Table: table('petId', { BillingMode: 'PAY_PER_REQUEST' }) },
    losses: [],
  },
  {
    change: 'the key of a table',
    before: { Table: table('petId') },
    after: { Table: table('id') },
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
  const before = { Resources: { Queue: queue('a'), Table: table('petId') } };
  const after = { Resources: { Queue: queue('b'), Table: table('petId') } };
  expect(replacementsOf(before, after)).toEqual(['Queue']);
});
