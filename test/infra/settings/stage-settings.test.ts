import { expect, test } from '@jest/globals';
import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { repository } from '../../../infra/settings/stages.ts';
import { deployed } from '../../support/stack/deployed.ts';
import { differences } from '../../support/stack/differences.ts';
import { everySetting } from '../../support/stack/every-setting.ts';
import { expectGolden } from '../../support/stack/golden.ts';
import { stackNamed, templateOf } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';
import { type Json, readable } from '../../support/stack/template.ts';

/** Values that no stage has, as far as a setting has others. */
const unusual: Required<StageSettings> = {
  ...everySetting,
  ceiling: { read: 30_001, write: 7_001 },
  deploymentConfig: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
  throttling: { rateLimit: 1_999, burstLimit: 3_999 },
  list: { throttling: { rateLimit: 9, burstLimit: 19 } },
  logRetention: RetentionDays.ONE_MONTH,
  firewall: { perAddress: { lists: 101, all: 10_001 }, perKey: { lists: 102, all: 20_002 } },
};

/** Returns the value that all have, or else the different ones. */
const common = (values: unknown[]): unknown => {
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  return texts.size === 1 ? values[0] : values;
};

/** Returns what a table shows of the settings. */
const ofTable = ({ DeletionPolicy, Properties }: Json): Json => {
  const { Replicas, WriteOnDemandThroughputSettings: writes } = Properties;
  const [{ ReadOnDemandThroughputSettings: reads, DeletionProtectionEnabled }] = Replicas;
  return {
    isRetained: DeletionPolicy === 'Retain',
    isProtected: DeletionProtectionEnabled,
    ceiling: reads && { read: reads.MaxReadRequestUnits, write: writes?.MaxWriteRequestUnits },
  };
};

const throttlingIn = ([stage]: Json[], route: string): unknown => {
  const { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit } =
    stage.MethodSettings.find(
      ({ HttpMethod, ResourcePath }: Json) => `${HttpMethod} ${ResourcePath}` === route,
    );
  return { rateLimit, burstLimit };
};

const firewallIn = ({ Rules }: Json): unknown => {
  const limitOf = (name: string): number =>
    Rules.find(({ Name }: Json) => Name === name).Statement.RateBasedStatement.Limit;
  return {
    perAddress: { lists: limitOf('ListRequests'), all: limitOf('AllRequests') },
    perKey: { lists: limitOf('ListRequestsOfKey'), all: limitOf('AllRequestsOfKey') },
  };
};

/** The account and region are part of the name of the bucket of code, if a stage sets them. */
const envIn = ({ Code }: Json): unknown => {
  const [, account, region] = /-(\d{12})-(.+)$/.exec(Code.S3Bucket) ?? [];
  return account && { account, region };
};

/** Returns the settings of a stage as its template shows them. */
const settingsIn = (settings: StageSettings): Record<keyof StageSettings, unknown> => {
  const { all, Resources } = readable(templateOf('prod', settings));
  const tables = Object.values(Resources).filter(({ Type }) => /DynamoDB/.test(Type));
  const stage = all('AWS::ApiGateway::Stage');
  const [domain] = all('AWS::ApiGateway::DomainName');
  const [firewall] = all('AWS::WAFv2::WebACL');
  const shown = tables.map(ofTable);
  return {
    env: common(all('AWS::Lambda::Function').map(envIn)),
    isProtected: common(shown.flatMap(({ isRetained, isProtected }) => [isRetained, isProtected])),
    ceiling: common(shown.map(({ ceiling }) => ceiling)),
    deploymentConfig: common(
      all('AWS::CodeDeploy::DeploymentGroup').map((group) => group.DeploymentConfigName),
    ),
    throttling: throttlingIn(stage, 'PATCH /~1v1~1inventory~1{petId}'),
    list: { throttling: throttlingIn(stage, 'GET /~1v1~1inventory') },
    logRetention: common(all('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays)),
    alarmEmail: all('AWS::SNS::Subscription')[0]?.Endpoint,
    customDomain: domain && {
      domainName: domain.DomainName,
      certificateArn: domain.RegionalCertificateArn,
    },
    firewall: firewall && firewallIn(firewall),
  };
};

/** What a template shows of settings that a stage leaves out. */
const leftOut = {
  env: undefined,
  ceiling: undefined,
  alarmEmail: undefined,
  customDomain: undefined,
  firewall: undefined,
};

test.each<{ what: string; settings: StageSettings }>([
  { what: 'staging, which leaves many out', settings: staging },
  { what: 'a stage that has all', settings: unusual },
])('each setting is in the template of $what', ({ settings }) => {
  const { deploymentConfigName: deploymentConfig } = settings.deploymentConfig;
  expect(settingsIn(settings)).toStrictEqual({ ...leftOut, ...settings, deploymentConfig });
});

test('test/infra/templates/every-setting.yaml is what settings that prod leaves out change', () => {
  // With an account and a region, whatever names these would differ, too.
  const { env: _, ...settings } = everySetting;
  const [before, after] = [prod, settings].map((each) => deployed(templateOf('prod', each)));
  expectGolden('every-setting.yaml', differences(before, after));
});

test('an account and a region stand where else their names do, and change nothing', () => {
  const env = { account: '111111111111', region: 'eu-west-1' };
  const [without, within] = [prod, { ...prod, env }].map((settings) =>
    JSON.parse(
      JSON.stringify(deployed(templateOf('prod', settings)))
        .replaceAll(/\{"Fn::Sub":("[^"]*")\}/g, '$1')
        .replaceAll(/<AWS::AccountId>|\$\{AWS::AccountId\}/g, env.account)
        .replaceAll(/<AWS::Region>|\$\{AWS::Region\}/g, env.region)
        .replaceAll('<AWS::Partition>', 'aws')
        .replaceAll('<AWS::URLSuffix>', 'amazonaws.com'),
    ),
  );
  expect(within).toStrictEqual(without);
});

const nobody = 'No alarm of this stage notifies anybody. Set alarmEmail ';
const noLink = 'No e-mail of an alarm of this stage links to the runbook. Set repository ';
const unlinked = repository === '' ? [noLink] : [];

test.each<{ what: string; settings: StageSettings; warnings: string[] }>([
  { what: 'a protected stage without', settings: prod, warnings: [nobody, ...unlinked] },
  { what: 'a protected stage with', settings: everySetting, warnings: unlinked },
  { what: 'another stage without', settings: staging, warnings: [] },
])('a synthesis of $what an alarmEmail warns of what is missing', ({ settings, warnings }) => {
  const { metadata } = stackNamed('prod', settings).node;
  const found = metadata.filter(({ type }) => type === 'aws:cdk:warning');
  expect(found.map(({ data }) => data)).toStrictEqual(
    warnings.map((warning) => expect.stringContaining(`${warning}in infra/settings/stages.ts.`)),
  );
});
