import { expect, test } from '@jest/globals';
import type { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { repository } from '../../../infra/settings/stages.ts';
import { deployed } from '../../support/stack/deployed.ts';
import { differences } from '../../support/stack/differences.ts';
import { env, everySetting } from '../../support/stack/every-setting.ts';
import { expectGolden } from '../../support/stack/golden.ts';
import { stackNamed, templateOf } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';
import { type Json, readable } from '../../support/stack/template.ts';

/** Returns what is deployed for a stage with these settings, with the values of its region. */
const inRegion = (settings: StageSettings): Json =>
  JSON.parse(
    JSON.stringify(deployed(templateOf('prod', settings)))
      .replaceAll(/<AWS::AccountId>|\$\{AWS::AccountId\}/g, env.account)
      .replaceAll(/<AWS::Region>|\$\{AWS::Region\}/g, env.region)
      .replaceAll('<AWS::Partition>', 'aws')
      .replaceAll('<AWS::URLSuffix>', 'amazonaws.com'),
  );

test('test/infra/templates/every-setting.yaml is what each setting changes in prod', () => {
  expectGolden('every-setting.yaml', differences(inRegion(prod), inRegion(everySetting)));
});

/** Returns settings that note the name of each that is read. */
const noting = <Settings extends object>(settings: Settings, read: Set<string>): Settings =>
  new Proxy(settings, {
    get: (all, name) => {
      const value = Reflect.get(all, name);
      read.add(String(name));
      return value?.constructor === Object ? noting(value, read) : value;
    },
  });

test('each setting is used', () => {
  const read = new Set<string>();
  templateOf('prod', noting(everySetting, read));
  const names = [everySetting, everySetting.list].flatMap(Object.keys);
  expect(names.filter((name) => !read.has(name))).toStrictEqual([]);
});

test('a domain name of its own accepts no TLS before 1.2', () => {
  const domains = readable(templateOf('prod', everySetting)).all('AWS::ApiGateway::DomainName');
  expect(domains.map(({ SecurityPolicy }) => SecurityPolicy)).toStrictEqual(['TLS_1_2']);
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

/** Synthesizes a stage with the rules, which other tests leave out because they take the longest. */
const synthesize = (stack: Stack): void => {
  process.env.CDK_VALIDATION = 'true';
  try {
    (stack.node.root as App).synth();
  } finally {
    process.env.CDK_VALIDATION = 'false';
  }
};

test('a stage with every setting breaks no rule of the AWS Solutions pack', () => {
  expect(() => synthesize(stackNamed('prod', everySetting))).not.toThrow();
});

test('a synthesis fails at a broken rule', () => {
  const stack = stackNamed('staging', staging);
  new Queue(stack, 'WithoutTls');
  expect(() => synthesize(stack)).toThrow('AwsSolutions-SQS4');
});
