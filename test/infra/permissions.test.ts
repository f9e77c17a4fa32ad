import { expect, test } from '@jest/globals';
import { operations, tablesOf } from '../../infra/service/operations.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
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

/** What each function may do. Without its logs, nobody would learn why one fails. */
const permissions: Record<string, string[]> = {
  Authorizer: [
    'Allow logs:CreateLogStream, logs:PutLogEvents: <AuthorizerLogs.Arn>',
    'Allow dynamodb:GetItem: <ApiKeysTable.Arn>',
  ],
  ListInventory: [
    'Allow logs:CreateLogStream, logs:PutLogEvents: <ListInventoryLogs.Arn>',
    'Allow dynamodb:Scan: <InventoryTable.Arn>',
  ],
  UpdateInventory: [
    'Allow logs:CreateLogStream, logs:PutLogEvents: <UpdateInventoryLogs.Arn>',
    'Allow dynamodb:UpdateItem: <InventoryTable.Arn>',
    'Allow dynamodb:PutItem: <ReceiptsTable.Arn>',
  ],
};

const statementsOf = ({ Policies }: Json): string[] =>
  Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement).map(
    ({ Effect, Action, Resource }: Json) => `${Effect} ${[Action].flat().join(', ')}: ${Resource}`,
  );

test.each(stageNames)(
  'a function of %s may do this, by a role of its own, and no more',
  (stageName) => {
    const { byName } = stackOf(stageName);
    const roles = byName('AWS::IAM::Role');
    const functions = Object.entries(byName('AWS::Lambda::Function')).map(([name, lambda]) => ({
      name,
      role: lambda.Role,
      log: lambda.LoggingConfig.LogGroup,
      may: statementsOf(roles[`${name}Role`]),
    }));
    expect(functions).toStrictEqual(
      Object.entries(permissions).map(([name, may]) => ({
        name,
        role: `<${name}Role.Arn>`,
        log: `<${name}Logs>`,
        may,
      })),
    );
  },
);

test.each(stageNames)(
  'only CodeDeploy and API Gateway have in %s a policy of AWS, the one that it prescribes',
  (stageName) => {
    const { byName } = stackOf(stageName);
    const managed = Object.values(byName('AWS::IAM::Role')).flatMap(
      ({ AssumeRolePolicyDocument: { Statement }, ManagedPolicyArns: policies = [] }) =>
        policies.map((policy: string) => `${Statement[0].Principal.Service} ${policy}`),
    );
    const ofService = 'arn:<AWS::Partition>:iam::aws:policy/service-role';
    expect(managed).toStrictEqual([
      `codedeploy.amazonaws.com ${ofService}/AWSCodeDeployRoleForLambdaLimited`,
      `apigateway.amazonaws.com ${ofService}/AmazonAPIGatewayPushToCloudWatchLogs`,
    ]);
  },
);

// CloudFormation detects no drift of an AWS::IAM::Policy, which a grant adds.
test.each(stageNames)('what a role of %s may do is a property of it', (stageName) => {
  const types = Object.values(stackOf(stageName).Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /^AWS::IAM::.*Policy$/.test(type))).toStrictEqual([]);
});
