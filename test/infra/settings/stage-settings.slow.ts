import { expect, test } from '@jest/globals';
import { type App, Duration, type Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { functionSpecs } from '../../../infra/service/operations.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { deployed } from '../../support/stack/deployed.ts';
import { env, everySetting } from '../../support/stack/every-setting.ts';
import { expectGolden } from '../../support/stack/golden.ts';
import { stackNamed, templateOf } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';
import { type Json, readable } from '../../support/stack/template.ts';

/** Returns what is deployed for a stage with these settings, with the values of its region. */
const inRegion = (settings: StageSettings): Json =>
  JSON.parse(
    JSON.stringify(deployed(templateOf('prod', settings)))
      .replaceAll('<AWS::AccountId>', env.account)
      .replaceAll('<AWS::Region>', env.region)
      .replaceAll('<AWS::Partition>', 'aws')
      .replaceAll('<AWS::URLSuffix>', 'amazonaws.com'),
  );

/**
 * Returns what `after` has of other value than `before`; what it lacks is `removed`. Members of an
 * array are named by their index, unless their number differs.
 */
const differences = (before: Json, after: Json): Json =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => {
        const [old, now = 'removed'] = [before[name], after[name]];
        const haveMembers =
          [old, now].every((value) => typeof value === 'object' && value !== null) &&
          (Array.isArray(old) ? old.length === now.length : !Array.isArray(now));
        return [name, haveMembers ? differences(old, now) : now];
      }),
  );

const { copies, ...otherSettings } = everySetting;

test('test/infra/templates/every-setting.yaml is what each setting but copies changes in prod', () => {
  expectGolden('every-setting.yaml', differences(inRegion(prod), inRegion(otherSettings)));
});

test('test/infra/templates/copies.yaml is what copies change in prod', () => {
  expectGolden('copies.yaml', differences(inRegion(prod), inRegion({ ...prod, ...{ copies } })));
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
  const { webAclArn, ...withFirewall } = everySetting;
  for (const settings of [everySetting, withFirewall]) {
    templateOf('prod', noting(settings, read));
  }
  const names = [everySetting, everySetting.tables, everySetting.list].flatMap(Object.keys);
  expect(names.filter((name) => !read.has(name))).toStrictEqual([]);
});

test('copies go to a vault', () => {
  const vaultArn = 'arn:aws:s3:::petstore-copies';
  const settings = { ...prod, copies: { vaultArn, keptFor: Duration.days(35) } };
  expect(() => templateOf('prod', settings)).toThrow(
    `copies.vaultArn must be the ARN of a backup vault, not ${vaultArn}.`,
  );
});

test('executions are set aside for lists alone', () => {
  const functions = readable(templateOf('prod', everySetting)).byName('AWS::Lambda::Function');
  const reserved = functionSpecs.map(
    ({ name }) => `${name}: ${functions[name].ReservedConcurrentExecutions}`,
  );
  expect(reserved).toStrictEqual(
    functionSpecs.map(({ name, streams }) => `${name}: ${streams ? 20 : undefined}`),
  );
});

test('a domain name of its own accepts no TLS before 1.2', () => {
  const domains = readable(templateOf('prod', everySetting)).all('AWS::ApiGateway::DomainName');
  expect(domains.map(({ SecurityPolicy }) => SecurityPolicy)).toStrictEqual(['TLS_1_2']);
});

test('a region that is added later changes nothing', () => {
  expect(differences(inRegion(staging), inRegion({ ...staging, env }))).toStrictEqual({});
});

const nobody =
  'No alarm of this stage notifies anybody. Set its alarmEmail in infra/settings/stages.ts. ' +
  '[ack: petstore:noAlarmEmail]';

test.each<{ what: string; settings: StageSettings; warnings: string[] }>([
  { what: 'warns of protected tables without an', settings: prod, warnings: [nobody] },
  { what: 'accepts protected tables with an', settings: everySetting, warnings: [] },
  { what: 'accepts other tables without an', settings: staging, warnings: [] },
])('a synthesis $what alarmEmail', ({ settings, warnings }) => {
  const { metadata } = stackNamed('prod', settings).node;
  const found = metadata.filter(({ type }) => type === 'aws:cdk:warning');
  expect(found.map(({ data }) => data)).toStrictEqual(warnings);
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
