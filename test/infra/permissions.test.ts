import { expect, test } from '@jest/globals';
import { operations, tablesOf } from '../../infra/service/operations.ts';
import { stackOf } from '../support/stack/synthesized.ts';
import type { Json } from '../support/stack/template.ts';

// What each part of the service may do in AWS. test/ops/ has what people may do.

test('an operation whose function may change the stock demands a key that may write', () => {
  const access = operations.map(({ operationId, ...spec }) => {
    const actions = tablesOf(spec).flatMap(([, table]) => table.actions);
    const mayChange = actions.some((action) => !/^dynamodb:(Get|Query|Scan|BatchGet)/.test(action));
    return { operationId, access: mayChange ? 'write' : 'read' };
  });
  expect(operations.map(({ operationId, access }) => ({ operationId, access }))).toStrictEqual(
    access,
  );
});

const ofAws = 'arn:<AWS::Partition>:iam::aws:policy/service-role';

/** What each role may do. Without its logs, nobody would learn why a function fails. */
const permissions: Record<string, string[]> = {
  AuthorizerRole: [
    'Allow logs:CreateLogStream, logs:PutLogEvents: <AuthorizerLogs.Arn>',
    'Allow dynamodb:GetItem: <ApiKeysTable.Arn>',
  ],
  ListInventoryRole: [
    'Allow logs:CreateLogStream, logs:PutLogEvents: <ListInventoryLogs.Arn>',
    'Allow dynamodb:Scan: <InventoryTable.Arn>',
  ],
  UpdateInventoryRole: [
    'Allow logs:CreateLogStream, logs:PutLogEvents: <UpdateInventoryLogs.Arn>',
    'Allow dynamodb:UpdateItem: <InventoryTable.Arn>',
    'Allow dynamodb:PutItem: <ReceiptsTable.Arn>',
  ],
  // AWS prescribes these two.
  DeploymentsRole: [`${ofAws}/AWSCodeDeployRoleForLambdaLimited`],
  ApiCloudWatchRole: [`${ofAws}/AmazonAPIGatewayPushToCloudWatchLogs`],
};

const { Resources, byName } = stackOf('prod');

const mayDo = ({ Policies = [], ManagedPolicyArns = [] }: Json): string[] => [
  ...ManagedPolicyArns,
  ...Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement).map(
    ({ Effect, Action, Resource }: Json) => `${Effect} ${[Action].flat().join(', ')}: ${Resource}`,
  ),
];

test('each role may do this, and no more', () => {
  const roles = Object.entries(byName('AWS::IAM::Role'));
  expect(Object.fromEntries(roles.map(([name, role]) => [name, mayDo(role)]))).toStrictEqual(
    permissions,
  );
  // CloudFormation detects no drift of an AWS::IAM::Policy, which a grant adds.
  const others = Object.values(Resources).filter(({ Type }) => /^AWS::IAM::.*Policy$/.test(Type));
  expect(others).toStrictEqual([]);
});

test('each function has its own role, and the log that the role may write to', () => {
  const functions = Object.entries(byName('AWS::Lambda::Function'));
  const given = functions.map(([name, { Role, LoggingConfig }]) => [
    name,
    Role,
    LoggingConfig.LogGroup,
  ]);
  expect(given).toStrictEqual(
    functions.map(([name]) => [name, `<${name}Role.Arn>`, `<${name}Logs>`]),
  );
});
