import { expect, test } from '@jest/globals';
import { type Operation, operations } from '../../infra/service/operations.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { stages } from '../../infra/settings/stages.ts';
import { unitsOfUpdate } from '../support/figures.ts';
import { openapi } from '../support/http/openapi.ts';
import { stacksAround } from '../support/ops/fake-aws.ts';
import { stackNameOf, stackOf } from '../support/stack/synthesized.ts';
import type { Json } from '../support/stack/template.ts';

// What prod.yaml cannot show: why a value may not be another one. What staging does otherwise is in
// staging.yaml.

const { Resources, all, byName } = stackOf('prod');
const [stage] = all('AWS::ApiGateway::Stage');

test('there is a function for each operation of openapi.yaml, and for no other', () => {
  const documented = Object.entries<Json>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(
      ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
    ),
  );
  const rows = operations.map((row) => `${row.operationId}: ${row.method} ${row.path}`);
  expect(rows.sort()).toStrictEqual(documented.sort());
});

/** The references to the API's paths, each with its path. */
const paths: Record<string, string> = { '<Api.RootResourceId>': '' };
for (const [name, { ParentId, PathPart }] of Object.entries(byName('AWS::ApiGateway::Resource'))) {
  paths[`<${name}>`] = `${paths[ParentId]}/${PathPart}`;
}

const methods = all('AWS::ApiGateway::Method').map((method: Json) => ({
  route: `${method.HttpMethod} ${paths[method.ResourceId]}`,
  isOpen: method.AuthorizationType === 'NONE',
  calls: /<\w+Live>/.exec(method.Integration.Uri)?.[0] ?? method.Integration.Type,
}));
const routeOf = ({ method, path }: Operation) => `${method} /v1${path}`;

test('each operation has a route that demands a key; what needs none calls no function', () => {
  const ofOperations = operations.map((operation) => ({
    route: routeOf(operation),
    isOpen: false,
    calls: `<${operation.name}Live>`,
  }));
  const fallbacks = Object.values(paths).map((path) => ({
    route: `ANY ${path}`,
    isOpen: true,
    calls: 'MOCK',
  }));
  expect(methods).toHaveLength(ofOperations.length + fallbacks.length);
  expect(methods).toStrictEqual(expect.arrayContaining([...ofOperations, ...fallbacks]));
});

// Without its permission a route answers 500. A wider one would let other methods in, too.
test('a function may be invoked for its own method and path alone', () => {
  const api = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<Api>';
  const ofOperations = operations.map((operation) => {
    const route = routeOf(operation).replace(' ', '').replace('{petId}', '*');
    return `<${operation.name}Live> ${api}/<ApiDeploymentStageprod>/${route}`;
  });
  const ofAuthorizer = `<AuthorizerLive> ${api}/authorizers/<ApiApiKeyAuthorizer>`;
  const given = all('AWS::Lambda::Permission').map(
    ({ FunctionName, SourceArn }) => `${FunctionName} ${SourceArn}`,
  );
  expect(given).toStrictEqual([ofAuthorizer, ...ofOperations]);
});

/** How many requests a second API Gateway accepts for all APIs of an account in a region. */
const ofAccount = 10_000;

test('staging and prod together accept no more than an account does, and few without a key', () => {
  const open = methods.filter(({ isOpen }) => isOpen).length;
  const { ThrottlingRateLimit: rateOfOpen } = stage.MethodSettings.find(
    ({ HttpMethod }: Json) => HttpMethod === '*',
  );
  expect(open * rateOfOpen).toBeLessThanOrEqual(0.01 * ofAccount);
  const rates = stageNames.flatMap((name) => {
    const { throttling, list } = stages[name];
    return [throttling.rateLimit, list.throttling.rateLimit, open * rateOfOpen];
  });
  expect(rates.reduce((sum, rate) => sum + rate)).toBeLessThanOrEqual(ofAccount);
});

// More than the API accepts would only cost, and writes cost most. Less, and the refusals of one
// key, which may send a quarter of all requests, would be felt by everybody.
test('a table carries in prod what the API accepts', () => {
  const { read = 0, write = 0 } = stages.prod.ceiling ?? {};
  const { rateLimit, burstLimit } = stages.prod.throttling;
  const { refused, ofEntry } = unitsOfUpdate;
  expect(write).toBe(burstLimit * ofEntry);
  // Of refusals, which are written once more, less than a burst.
  expect(write).toBeGreaterThan(rateLimit * (refused - ofEntry));
  // A list reads the whole table.
  expect(read).toBeGreaterThan(write);
});

test('clients speak TLS 1.2 or later, and the functions HTTPS with DynamoDB', () => {
  const [{ SecurityPolicy }] = all('AWS::ApiGateway::RestApi');
  expect(SecurityPolicy).toMatch(/^SecurityPolicy_TLS13_1_[23]_/);
  for (const { Environment } of all('AWS::Lambda::Function')) {
    expect(Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB).toMatch(/^https:/);
  }
});

// They would hold the Authorization header, and with it the key.
test('neither a log nor a sample has whole requests', () => {
  const { MethodSettings, AccessLogSetting } = stage;
  for (const { DataTraceEnabled, LoggingLevel = 'OFF' } of MethodSettings) {
    expect([DataTraceEnabled, LoggingLevel]).toStrictEqual([false, 'OFF']);
  }
  const [{ Rules, ...webAcl }] = all('AWS::WAFv2::WebACL');
  for (const { VisibilityConfig } of [webAcl, ...Rules]) {
    expect(VisibilityConfig.SampledRequestsEnabled).toBe(false);
  }
  // An error's message may quote the header.
  expect(AccessLogSetting.Format).not.toMatch(/error\.message|authorization|header/i);
});

test('the commands find each stage by its stack and outputs, as they do in tests', () => {
  const stacks = stacksAround({ inventory: 'inventory', apiKeys: 'keys' });
  expect(Object.keys(stacks)).toStrictEqual(stageNames.map(stackNameOf));
  const [{ outputs }] = Object.values(stacks) as [Json];
  expect(Object.keys(stackOf('prod').Outputs)).toStrictEqual(
    expect.arrayContaining(Object.keys(outputs)),
  );
});

// An account has one list of each, in a region or in all of them: a second stage would collide.
test('copies of a stage do not collide: what has a name has the stage in it', () => {
  const kinds = 'Alarm|Application|Dashboard|DeploymentGroup|Filter|Function|LogGroup|Role|Topic';
  const names = JSON.stringify(Object.values(Resources).map(({ Properties }) => Properties));
  const given = names.match(new RegExp(`(?<="(${kinds}|Rule|Table)Name":")[^<][^"]*`, 'g'));
  expect(given).toStrictEqual(['petstore-inventory-prod-<AWS::Region>']);
});

// The policy that enforces TLS has replaced the one that would let CloudWatch publish.
test('an alarm tells people its begin and its end, by its topic', () => {
  const alarms = Object.entries(byName('AWS::CloudWatch::Alarm'));
  const told = alarms
    .filter(([name]) => name.startsWith('Alarms'))
    .map(([, { AlarmActions, OKActions }]) => `${AlarmActions} ${OKActions}`);
  expect(new Set(told)).toStrictEqual(new Set(['<AlarmsTopic> <AlarmsTopic>']));
  const [{ PolicyDocument }] = all('AWS::SNS::TopicPolicy');
  expect(PolicyDocument.Statement).toContainEqual({
    Sid: 'AllowAlarms',
    Effect: 'Allow',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Action: 'sns:Publish',
    Resource: '<AlarmsTopic>',
    Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
  });
});
