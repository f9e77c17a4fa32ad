import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { listTimeout } from '../../functions/shared/time-limits.ts';
import { functionSpecs, type Operation, operations } from '../../infra/service/operations.ts';
import { tableSpecs } from '../../infra/service/tables.ts';
import { stageNames } from '../../infra/settings/stage-names.ts';
import { stages } from '../../infra/settings/stages.ts';
import { unitsOfUpdate } from '../support/figures.ts';
import { stacksAround } from '../support/ops/fake-aws.ts';
import { project } from '../support/process/tools.ts';
import { stackNameOf, stackOf } from '../support/stack/synthesized.ts';
import type { Json } from '../support/stack/template.ts';

// What test/infra/templates/ cannot show: why a value may not be another one.

const each = stageNames;
const list = 'GET /v1/inventory';
const routeOf = ({ method, path }: Operation) => `${method} /v1${path}`;
const functionNames = functionSpecs.map(({ name }) => name).sort();

/** Returns the values that some things have, each once. */
const distinct = (values: unknown[]): unknown[] => [...new Set(values)];

/** Returns the settings of a method, such as `GET /v1/inventory`, or of all others, `* /*`. */
const settingsOf = (stageName: string, route: string): Json => {
  const [{ MethodSettings }] = stackOf(stageName).all('AWS::ApiGateway::Stage');
  return MethodSettings.find(
    ({ HttpMethod, ResourcePath }: Json) =>
      `${HttpMethod} ${ResourcePath.replace(/^\/~1/, '/').replaceAll('~1', '/')}` === route,
  );
};

const rateOf = (stageName: string, route: string): number =>
  settingsOf(stageName, route).ThrottlingRateLimit;

/** How many requests a second API Gateway accepts for all APIs of an account in a region. */
const ofAccount = 10_000;

/** Returns the paths of a stage's API by the references to them in its template. */
const pathsOf = (stageName: string): Record<string, string> => {
  const resources = stackOf(stageName).byName('AWS::ApiGateway::Resource');
  const root = '<Api.RootResourceId>';
  const pathOf = (reference: string): string => {
    const { ParentId, PathPart } = resources[reference.slice(1, -1)];
    return `${ParentId === root ? '' : pathOf(ParentId)}/${PathPart}`;
  };
  const references = Object.keys(resources).map((name) => `<${name}>`);
  return { [root]: '/', ...Object.fromEntries(references.map((name) => [name, pathOf(name)])) };
};

/** Returns the methods of a stage's API, each with its route, such as `GET /v1/inventory`. */
const methodsOf = (stageName: string): Json[] => {
  const paths = pathsOf(stageName);
  return stackOf(stageName)
    .all('AWS::ApiGateway::Method')
    .map((method) => ({ ...method, route: `${method.HttpMethod} ${paths[method.ResourceId]}` }));
};

test('there is a function for each operation of openapi.yaml, and for no other', () => {
  const { paths } = parse(readFileSync(join(project, 'openapi.yaml'), 'utf8'));
  const documented = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(
      ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
    ),
  );
  const rows = operations.map(
    ({ operationId, method, path }) => `${operationId}: ${method} ${path}`,
  );
  expect(rows.sort()).toStrictEqual(documented.sort());
  const descriptions = operations.map(({ description }) => description);
  expect(descriptions).toStrictEqual(operations.map(({ method, path }) => `${method} ${path}`));
});

// Without its permission a route answers 500. A wider one would let other methods in, too.
test.each(each)(
  'a function of %s may be invoked for its own method and path alone',
  (stageName) => {
    const { byName } = stackOf(stageName);
    expect(Object.keys(byName('AWS::Lambda::Function')).sort()).toStrictEqual(functionNames);

    const invoked = methodsOf(stageName)
      .filter(({ Integration }) => Integration.Type === 'AWS_PROXY')
      .map(({ route, Integration }) => `${route} ${/<\w+Live>/.exec(Integration.Uri)}`);
    expect(invoked).toStrictEqual(
      operations.map((operation) => `${routeOf(operation)} <${operation.name}Live>`),
    );

    const api = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<Api>';
    const ofOperations = operations.map(({ name, method, path }) => {
      const anyPet = path.replace('{petId}', '*');
      return `<${name}Live> ${api}/<ApiDeploymentStage${stageName}>/${method}/v1${anyPet}`;
    });
    const ofAuthorizer = `<AuthorizerLive> ${api}/authorizers/<ApiApiKeyAuthorizer>`;
    const given = stackOf(stageName)
      .all('AWS::Lambda::Permission')
      .map(({ FunctionName, SourceArn }) => `${FunctionName} ${SourceArn}`);
    expect(given.sort()).toStrictEqual([ofAuthorizer, ...ofOperations].sort());
  },
);

test.each(each)(
  'requests get a fixed answer from %s without a key, and few of them',
  (stageName) => {
    const open = methodsOf(stageName).filter(
      ({ AuthorizationType }) => AuthorizationType === 'NONE',
    );
    const routes = open.map(({ route, Integration }) => `${route}: ${Integration.Type}`);
    const paths = Object.values(pathsOf(stageName));
    expect(paths).toContain('/{proxy+}');
    expect(routes.sort()).toStrictEqual(paths.map((path) => `ANY ${path}: MOCK`).sort());
    // Of a content type without a template, a mock sends a 404 even on a path with a 405.
    const types = open.map(({ Integration }) => Object.keys(Integration.RequestTemplates));
    const sent = ['application/json', 'application/x-www-form-urlencoded'];
    expect(types).toStrictEqual(paths.map(() => sent));
    // Less than 1 % of the account's requests.
    expect(open.length * rateOf(stageName, '* /*')).toBeLessThanOrEqual(0.01 * ofAccount);
  },
);

test('staging and prod together accept no more than an account does', () => {
  const rates = each.flatMap((stageName) =>
    methodsOf(stageName).map(({ route }) => {
      const { ThrottlingRateLimit } = settingsOf(stageName, route) ?? settingsOf(stageName, '* /*');
      return ThrottlingRateLimit;
    }),
  );
  expect(rates.reduce((sum, rate) => sum + rate)).toBeLessThanOrEqual(ofAccount);
});

test.each(each)(
  'a list of %s ends before Lambda ends it, and Lambda before API Gateway',
  (stageName) => {
    const { Timeout } = stackOf(stageName).byName('AWS::Lambda::Function').ListInventory;
    // The function leaves itself some time of it.
    expect(1_000 * Timeout).toBe(listTimeout);
    const method = methodsOf(stageName).find(({ route }) => route === list);
    expect(method?.Integration.TimeoutInMillis).toBeGreaterThan(1_000 * Timeout);
  },
);

// More than the API accepts would only cost, and writes cost most. Less, and the refusals of one key,
// which may send a quarter of all requests, would be felt by everybody.
test.each(Object.keys(tableSpecs))('%s carries in prod what the API accepts', (name) => {
  const table = stackOf('prod').byName('AWS::DynamoDB::GlobalTable')[`${name}Table`];
  const [{ ReadOnDemandThroughputSettings: reads }] = table.Replicas;
  const writes = table.WriteOnDemandThroughputSettings.MaxWriteRequestUnits;
  const { rateLimit, burstLimit } = stages.prod.throttling;
  const { refused, ofEntry } = unitsOfUpdate;
  expect(writes).toBe(burstLimit * ofEntry);
  // Of refusals, which are written once more, less than a burst.
  expect(writes).toBeGreaterThan(rateLimit * (refused - ofEntry));
  // A list reads the whole table.
  expect(reads.MaxReadRequestUnits).toBeGreaterThan(writes);
});

test.each(each)('%s forgets a revoked key within a minute, its check included', (stageName) => {
  const { all, byName } = stackOf(stageName);
  const [{ AuthorizerResultTtlInSeconds: kept }] = all('AWS::ApiGateway::Authorizer');
  expect(kept + byName('AWS::Lambda::Function').Authorizer.Timeout).toBeLessThanOrEqual(60);
});

test.each(each)('%s speaks TLS: with clients 1.2 or later, and with DynamoDB', (stageName) => {
  const { all } = stackOf(stageName);
  const [{ SecurityPolicy }] = all('AWS::ApiGateway::RestApi');
  expect(SecurityPolicy).toMatch(/^SecurityPolicy_TLS13_1_[23]_/);
  const endpoints = all('AWS::Lambda::Function').map(
    ({ Environment }) => Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB,
  );
  expect(distinct(endpoints)).toStrictEqual(['https://dynamodb.<AWS::Region>.<AWS::URLSuffix>']);
});

// They would hold the Authorization header, and with it the key.
test.each(each)('neither a log nor a sample of %s has whole requests', (stageName) => {
  const { all } = stackOf(stageName);
  const [{ MethodSettings, AccessLogSetting }] = all('AWS::ApiGateway::Stage');
  const traced = MethodSettings.map(({ DataTraceEnabled, LoggingLevel = 'OFF' }: Json) => [
    DataTraceEnabled,
    LoggingLevel,
  ]);
  expect(distinct(traced.map(String))).toStrictEqual(['false,OFF']);
  const sampled = all('AWS::WAFv2::WebACL').flatMap(({ Rules, ...webAcl }) =>
    [webAcl, ...Rules].map(({ VisibilityConfig }) => VisibilityConfig.SampledRequestsEnabled),
  );
  expect(sampled.filter((isSampled) => isSampled !== false)).toStrictEqual([]);
  // An error's message may quote the header.
  expect(AccessLogSetting.Format).not.toMatch(/error\.message|authorization|header/i);
});

test('the commands find each stage by its stack and outputs, as they do in tests', () => {
  const tables = { inventory: 'inventory', apiKeys: 'keys' };
  const stacks = Object.entries(stacksAround(tables));
  expect(stacks.map(([name]) => name)).toStrictEqual(each.map(stackNameOf));
  const missing = stacks.flatMap(([, { outputs }], index) => {
    const { Outputs } = stackOf(each[index] ?? '');
    return Object.keys(outputs).filter((name) => !(name in Outputs));
  });
  expect(missing).toStrictEqual([]);
});

/** The properties that name what an account has one list of, in a region or in all of them. */
const physicalName =
  /^(Alarm|Application|Dashboard|DeploymentGroup|Filter|Function|LogGroup|Role|Rule|Table|Topic)Name$/;

test.each(each)(
  'copies of %s do not collide: its names are made or have the stage',
  (stageName) => {
    const given = Object.values(stackOf(stageName).Resources)
      .flatMap(({ Properties = {} }) => Object.entries(Properties))
      .filter(([property, name]) => physicalName.test(property) && !/^<\w+>$/.test(String(name)))
      .map(([, name]) => name);
    expect(given.sort()).toStrictEqual([
      // An account has one list of dashboards for all regions.
      `petstore-inventory-${stageName}-<AWS::Region>`,
    ]);
  },
);

// The policy that enforces TLS has replaced the one that would let CloudWatch publish.
test.each(each)('an alarm of %s tells people its begin and its end, by its topic', (stageName) => {
  const { all, byName } = stackOf(stageName);
  const told = Object.entries(byName('AWS::CloudWatch::Alarm'))
    .filter(([name]) => name.startsWith('Alarms'))
    .map(([, { AlarmActions, OKActions }]) => `${AlarmActions} ${OKActions}`);
  expect(distinct(told)).toStrictEqual(['<AlarmsTopic> <AlarmsTopic>']);
  const [{ PolicyDocument }] = all('AWS::SNS::TopicPolicy');
  expect(PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow')).toStrictEqual([
    {
      Sid: 'AllowAlarms',
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Resource: '<AlarmsTopic>',
      Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
    },
  ]);
});
