import { describe, expect, test } from '@jest/globals';
import { assembly } from '../support/assembly.ts';
import { logicalId, readAssembly, resourcesOf, synthesize } from '../support/synthesized.ts';

const synthesis = synthesize();
const { templates, bundles } = synthesis;

describe('cdk synth', () => {
  test('has nothing to warn of, and needs neither credentials nor Docker', () => {
    expect(synthesis.output).not.toMatch(/warning|deprecated|docker/i);
    expect(Object.keys(templates).sort()).toEqual(['prod', 'staging']);
  });

  test('passes the checks of the AWS Solutions pack but for what is acknowledged with a reason', () => {
    expect(synthesis.violations).toEqual([]);
  });

  test('gives the same bytes twice', () => {
    expect(readAssembly(assembly)).toMatchObject({ templates, bundles });
  });

  test('puts no secret anywhere', () => {
    const secret = /petstore_(staging|prod)_[0-9a-f]{48}|AKIA[0-9A-Z]{16}|BEGIN [A-Z ]*PRIVATE KEY/;
    for (const [name, text] of [...Object.entries(bundles), ...Object.entries(templates)]) {
      expect([name, secret.exec(typeof text === 'string' ? text : JSON.stringify(text))]).toEqual([name, null]);
    }
  });

  test('bundles each function in less than 400 KB', () => {
    const sizes = Object.entries(bundles).map(([name, text]) => [name, text.length] as const);
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    expect(sizes.filter(([, size]) => size > 400_000)).toEqual([]);
  });
});

describe.each([
  ['staging', 'CodeDeployDefault.LambdaAllAtOnce', 7],
  ['prod', 'CodeDeployDefault.LambdaCanary10Percent5Minutes', 90],
])('%s', (stageName, deploymentConfig, retentionDays) => {
  const template = templates[stageName] ?? { Resources: {}, Outputs: {} };
  const of = (type: string) => resourcesOf(template, type);
  const only = (type: string) => {
    const [resource, ...others] = Object.values(of(type));
    expect(others).toEqual([]);
    return resource?.Properties ?? {};
  };

  test('keeps the logical ids of its tables and its API: another id would replace them', () => {
    expect(Object.keys(of('AWS::DynamoDB::GlobalTable'))).toEqual(['InventoryTableFD135387', 'ApiKeysTable9F4DC7E7']);
    expect(Object.keys(of('AWS::ApiGateway::RestApi'))).toEqual(['ApiF70053CD']);
  });

  test.each(['Authorizer', 'ListInventory', 'UpdateInventory'])(
    'shifts the traffic of %s and takes it back',
    (name) => {
      const lambda = logicalId(template, 'AWS::Lambda::Function', name);
      const version =
        Object.keys(of('AWS::Lambda::Version')).find((id) => id.startsWith(`${name}CurrentVersion`)) ?? '';
      const alias = logicalId(template, 'AWS::Lambda::Alias', `${name}Live`);
      const group = logicalId(template, 'AWS::CodeDeploy::DeploymentGroup', `${name}LiveDeployment`);
      const alarms = Object.entries(of('AWS::CloudWatch::Alarm')).filter(([id]) =>
        id.includes(`${name}LiveNewVersion`),
      );
      const [[alarmId, alarm] = []] = alarms;

      const metric = (Id: string, Namespace: string, MetricName: string, Dimensions: object[]) => ({
        Id,
        MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: 60, Stat: 'Sum' },
        ReturnData: false,
      });

      // Old versions stay, to go back to by hand; one that a rollback undoes goes, or its code could not be deployed again.
      expect(template.Resources[version]).toMatchObject({
        Properties: { FunctionName: { Ref: lambda } },
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
      expect(template.Resources[alias]).toMatchObject({
        Properties: {
          FunctionName: { Ref: lambda },
          FunctionVersion: { 'Fn::GetAtt': [version, 'Version'] },
          Name: 'live',
        },
        UpdatePolicy: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: group } } },
      });
      expect(template.Resources[group]?.Properties).toMatchObject({
        DeploymentConfigName: deploymentConfig,
        AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { Ref: alarmId } }] },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
      expect(alarms).toHaveLength(1);
      expect(alarm?.Properties).toMatchObject({
        Metrics: [
          { Expression: 'FILL(errors, 0) + FILL(faults, 0)', ReturnData: true },
          metric('errors', 'AWS/Lambda', 'Errors', [
            { Name: 'ExecutedVersion', Value: { 'Fn::GetAtt': [version, 'Version'] } },
            { Name: 'FunctionName', Value: { Ref: lambda } },
            { Name: 'Resource', Value: { 'Fn::Join': ['', [{ Ref: lambda }, ':live']] } },
          ]),
          metric('faults', 'PetstoreInventory', 'Faults', [
            { Name: 'FunctionName', Value: { Ref: lambda } },
            { Name: 'FunctionVersion', Value: { 'Fn::GetAtt': [version, 'Version'] } },
          ]),
        ],
        EvaluationPeriods: 1,
        Threshold: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      });
      // A new version gets an alarm of its own, which cannot ring yet.
      expect(alarmId?.slice(-8)).toBe(version.slice(-8));
    },
  );

  test('has every request in an access log, and none of the key', () => {
    const { AccessLogSetting, MethodSettings, TracingEnabled } = only('AWS::ApiGateway::Stage') as {
      AccessLogSetting: { Format: string; DestinationArn: unknown };
      MethodSettings: object[];
      TracingEnabled: boolean;
    };
    const log = logicalId(template, 'AWS::Logs::LogGroup', 'ApiAccessLog');
    expect(JSON.stringify(AccessLogSetting.DestinationArn)).toContain(`:log-group:",{"Ref":"${log}"}`);
    expect(JSON.parse(AccessLogSetting.Format)).toMatchObject({
      requestId: '$context.requestId',
      keyId: '$context.authorizer.keyId',
      status: '$context.status',
    });
    expect(TracingEnabled).toBe(true);
    expect(AccessLogSetting.Format).not.toMatch(/authorization|token|principal/i);
    expect(MethodSettings).toEqual([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        DataTraceEnabled: false,
        MetricsEnabled: true,
        ThrottlingBurstLimit: 4_000,
        ThrottlingRateLimit: 2_000,
      },
    ]);
  });

  test(`keeps its logs for ${retentionDays} days`, () => {
    const retention = Object.values(of('AWS::Logs::LogGroup')).map(({ Properties }) => Properties.RetentionInDays);
    expect(retention).toEqual([retentionDays, retentionDays, retentionDays, retentionDays]);
  });

  test('takes TLS 1.2 and later', () => {
    expect(only('AWS::ApiGateway::RestApi')).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    });
  });

  test('has no roles but those of its functions, of their deployments and of the logs of API Gateway', () => {
    const policiesOf = (role: string) =>
      Object.values(of('AWS::IAM::Policy')).filter(({ Properties }) =>
        (Properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === role),
      ).length;
    const managed = (name: string) => [
      { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, `:iam::aws:policy/service-role/${name}`]] },
    ];
    const roles = Object.entries(of('AWS::IAM::Role')).map(([id, { Properties }]) => [
      id.replace(/[0-9A-F]{8}$/, ''),
      (Properties.AssumeRolePolicyDocument as { Statement: { Principal: { Service: string } }[] }).Statement.map(
        ({ Principal }) => Principal.Service,
      ),
      Properties.ManagedPolicyArns ?? policiesOf(id),
    ]);
    const deployment = [['codedeploy.amazonaws.com'], managed('AWSCodeDeployRoleForLambdaLimited')];
    expect(roles.sort()).toEqual([
      ['ApiCloudWatchRole', ['apigateway.amazonaws.com'], managed('AmazonAPIGatewayPushToCloudWatchLogs')],
      ['AuthorizerLiveDeploymentServiceRole', ...deployment],
      ['AuthorizerRole', ['lambda.amazonaws.com'], 1],
      ['ListInventoryLiveDeploymentServiceRole', ...deployment],
      ['ListInventoryRole', ['lambda.amazonaws.com'], 1],
      ['UpdateInventoryLiveDeploymentServiceRole', ...deployment],
      ['UpdateInventoryRole', ['lambda.amazonaws.com'], 1],
    ]);
  });
});
