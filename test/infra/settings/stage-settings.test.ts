import { expect, test } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { LambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { repository } from '../../../infra/settings/stages.ts';
import { deployed } from '../../support/stack/deployed.ts';
import { differences } from '../../support/stack/differences.ts';
import { env, everySetting } from '../../support/stack/every-setting.ts';
import { expectGolden } from '../../support/stack/golden.ts';
import { stackNamed, templateIn } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';
import { type Json, readable, type Template } from '../../support/stack/template.ts';

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

const settingsOf = { staging, prod, everySetting, unusual } satisfies Record<string, StageSettings>;
type Name = keyof typeof settingsOf;
const names = Object.keys(settingsOf) as Name[];

/** The stacks with these settings, all as prod. */
const stacks = Object.fromEntries(
  names.map((name) => [name, stackNamed('prod', settingsOf[name])]),
) as Record<Name, Stack>;
const templates = Object.fromEntries(
  names.map((name) => [name, templateIn(stacks[name])]),
) as Record<Name, Template>;

/** Returns the value that all have, or else the different ones. */
const common = (values: unknown[]): unknown => {
  const texts = new Set(values.map((value) => JSON.stringify(value)));
  return texts.size === 1 ? values[0] : values;
};

const throttlingIn = ([stage]: Json[], route: string): unknown => {
  const { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit } =
    stage.MethodSettings.find(
      ({ HttpMethod, ResourcePath }: Json) => `${HttpMethod} ${ResourcePath}` === route,
    );
  return { rateLimit, burstLimit };
};

const ceilingIn = ({ Replicas, WriteOnDemandThroughputSettings: writes }: Json): unknown => {
  const [{ ReadOnDemandThroughputSettings: reads }] = Replicas;
  const ceiling = { read: reads?.MaxReadRequestUnits, write: writes?.MaxWriteRequestUnits };
  return reads || writes ? ceiling : undefined;
};

const firewallIn = ([webAcl]: Json[]): unknown => {
  const limitOf = (name: string): number =>
    webAcl.Rules.find(({ Name }: Json) => Name === name).Statement.RateBasedStatement.Limit;
  return (
    webAcl && {
      perAddress: { lists: limitOf('ListRequests'), all: limitOf('AllRequests') },
      perKey: { lists: limitOf('ListRequestsOfKey'), all: limitOf('AllRequestsOfKey') },
    }
  );
};

const domainIn = ([domain]: Json[]): unknown =>
  domain && { domainName: domain.DomainName, certificateArn: domain.RegionalCertificateArn };

/** The account and region are part of the name of the bucket of code, if a stage sets them. */
const envIn = ({ Code }: Json): unknown => {
  const { account, region } =
    /-(?<account>\d{12})-(?<region>.+)$/.exec(Code.S3Bucket)?.groups ?? {};
  return account && { account, region };
};

/** Returns the settings of a stage as its template shows them. */
const settingsIn = (template: Template): Record<keyof StageSettings, unknown> => {
  const { all, Resources } = readable(template);
  const tables = Object.values(Resources).filter(({ Type }) => /DynamoDB/.test(Type));
  const stage = all('AWS::ApiGateway::Stage');
  return {
    env: common(all('AWS::Lambda::Function').map(envIn)),
    isProtected: common(
      tables.flatMap(({ DeletionPolicy, Properties }) => [
        DeletionPolicy === 'Retain',
        Properties.Replicas[0].DeletionProtectionEnabled,
      ]),
    ),
    ceiling: common(tables.map(({ Properties }) => ceilingIn(Properties))),
    deploymentConfig: common(
      all('AWS::CodeDeploy::DeploymentGroup').map(
        ({ DeploymentConfigName }) => DeploymentConfigName,
      ),
    ),
    throttling: throttlingIn(stage, 'PATCH /~1v1~1inventory~1{petId}'),
    list: { throttling: throttlingIn(stage, 'GET /~1v1~1inventory') },
    logRetention: common(all('AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays)),
    alarmEmail: all('AWS::SNS::Subscription')[0]?.Endpoint,
    customDomain: domainIn(all('AWS::ApiGateway::DomainName')),
    firewall: firewallIn(all('AWS::WAFv2::WebACL')),
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

test.each(names)('each setting of %s is in the template', (name) => {
  const settings = settingsOf[name];
  expect(settingsIn(templates[name])).toStrictEqual({
    ...leftOut,
    ...settings,
    deploymentConfig: settings.deploymentConfig.deploymentConfigName,
  });
});

/** Returns what is deployed with settings, with the values of its region. */
const inRegion = (name: Name): Json =>
  JSON.parse(
    JSON.stringify(deployed(templates[name]))
      .replaceAll(/<AWS::AccountId>|\$\{AWS::AccountId\}/g, env.account)
      .replaceAll(/<AWS::Region>|\$\{AWS::Region\}/g, env.region)
      .replaceAll('<AWS::Partition>', 'aws')
      .replaceAll('<AWS::URLSuffix>', 'amazonaws.com'),
  );

test('test/infra/templates/every-setting.yaml is what settings that prod leaves out change', () => {
  expectGolden('every-setting.yaml', differences(inRegion('prod'), inRegion('everySetting')));
});

test('a domain name of its own accepts no TLS before 1.2', () => {
  const domains = readable(templates.everySetting).all('AWS::ApiGateway::DomainName');
  expect(domains.map(({ SecurityPolicy }) => SecurityPolicy)).toStrictEqual(['TLS_1_2']);
});

const nobody = 'No alarm of this stage notifies anybody. Set alarmEmail ';
const noLink = 'No e-mail of an alarm of this stage links to the runbook. Set repository ';
const unlinked = repository === '' ? [noLink] : [];

test.each<{ what: string; name: Name; warnings: string[] }>([
  { what: 'a protected stage without', name: 'prod', warnings: [nobody, ...unlinked] },
  { what: 'a protected stage with', name: 'everySetting', warnings: unlinked },
  { what: 'another stage without', name: 'staging', warnings: [] },
])('a synthesis of $what an alarmEmail warns of what is missing', ({ name, warnings }) => {
  const { metadata } = stacks[name].node;
  const found = metadata.filter(({ type }) => type === 'aws:cdk:warning');
  expect(found.map(({ data }) => data)).toStrictEqual(
    warnings.map((warning) => expect.stringContaining(`${warning}in infra/settings/stages.ts.`)),
  );
});
