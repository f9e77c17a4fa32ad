import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { operations } from '../../infra/service/operations.ts';
import { project } from '../support/process/tools.ts';
import { stackOf } from '../support/stack/synthesized.ts';
import type { Json } from '../support/stack/template.ts';

// What test/infra/templates/ cannot show: why a value may not be another one.

const each = ['staging', 'prod'] as const;

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

const list = 'GET /v1/inventory';
const update = 'PATCH /v1/inventory/{petId}';

/** Returns the methods of a stage's API, each with its route, such as `GET /v1/inventory`. */
const methodsOf = (stageName: string): Json[] => {
  const { all, byName } = stackOf(stageName);
  const resources = byName('AWS::ApiGateway::Resource');
  const pathOf = (reference: string): string => {
    if (reference === '<Api.RootResourceId>') {
      return '';
    }
    const { ParentId, PathPart } = resources[reference.slice(1, -1)];
    return `${pathOf(ParentId)}/${PathPart}`;
  };
  return all('AWS::ApiGateway::Method').map((method) => ({
    ...method,
    route: `${method.HttpMethod} ${pathOf(method.ResourceId) || '/'}`,
  }));
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
});

// Without its permission a route answers 500. A wider one would let other methods in, too.
test.each(each)(
  'a function of %s may be invoked for its own method and path alone',
  (stageName) => {
    const { all } = stackOf(stageName);
    const api = 'arn:<AWS::Partition>:execute-api:<AWS::Region>:<AWS::AccountId>:<Api>';
    const functionIn = (uri: string) => /functions\/(<\w+>)\//.exec(uri)?.[1];
    const invocations = methodsOf(stageName)
      .filter(({ Integration }) => Integration.Type === 'AWS_PROXY')
      .map(({ route, Integration }) => ({ route, invoked: functionIn(Integration.Uri) }));
    expect(invocations).toStrictEqual(
      operations.map(({ name, method, path }) => ({
        route: `${method} /v1${path}`,
        invoked: `<${name}Live>`,
      })),
    );

    const [{ AuthorizerUri }] = all('AWS::ApiGateway::Authorizer');
    const allowed = [
      `${functionIn(AuthorizerUri)} ${api}/authorizers/<ApiApiKeyAuthorizer>`,
      ...invocations.map(({ route, invoked }) => {
        const [method, path = ''] = route.split(' ');
        const anyPet = path.replace('{petId}', '*');
        return `${invoked} ${api}/<ApiDeploymentStage${stageName}>/${method}${anyPet}`;
      }),
    ];
    const permissions = all('AWS::Lambda::Permission');
    expect(
      permissions.map(({ FunctionName, SourceArn }) => `${FunctionName} ${SourceArn}`).sort(),
    ).toStrictEqual(allowed.sort());
    expect(permissions.map(({ Principal }) => Principal)).toStrictEqual(
      Array(3).fill('apigateway.amazonaws.com'),
    );
  },
);

test.each(each)('%s leaves executions for updates when every list takes its time', (stageName) => {
  const { Timeout } = stackOf(stageName).byName('AWS::Lambda::Function').ListInventory;
  // An account that has asked for no other quota runs 1,000 functions at a time.
  expect(rateOf(stageName, list) * Timeout).toBeLessThanOrEqual(600);
});

test.each(each)(
  'a list of %s ends itself before Lambda, and Lambda before API Gateway',
  (stageName) => {
    const { Timeout, Environment } =
      stackOf(stageName).byName('AWS::Lambda::Function').ListInventory;
    // The function leaves itself some time of it.
    expect(Environment.Variables.LIST_TIMEOUT_SECONDS).toBe(String(Timeout));
    const method = methodsOf(stageName).find(({ route }) => route === list);
    expect(method?.Integration.TimeoutInMillis).toBeGreaterThan(1_000 * Timeout);
  },
);

test.each(each)(
  'requests without a key get a fixed answer from %s, and few of them',
  (stageName) => {
    const open = methodsOf(stageName).filter(
      ({ AuthorizationType }) => AuthorizationType === 'NONE',
    );
    const routes = open.map(({ route, Integration }) => `${route}: ${Integration.Type}`);
    expect(routes.sort()).toStrictEqual([
      'ANY /: MOCK',
      'ANY /v1/inventory/{petId}: MOCK',
      'ANY /v1/inventory: MOCK',
      'ANY /v1: MOCK',
      'ANY /{proxy+}: MOCK',
    ]);
    // An account gets 10,000 requests a second for all its APIs. These take 1 % of them.
    expect(open.length * rateOf(stageName, '* /*')).toBeLessThanOrEqual(0.01 * 10_000);
  },
);

test('no client can use up more than a quarter of what prod accepts', () => {
  const [{ Rules }] = stackOf('prod').all('AWS::WAFv2::WebACL');
  const quarterOf = (route: string) => (60 * rateOf('prod', route)) / 4;
  const most: Record<string, number> = {
    RequestsWithoutKey: quarterOf(update),
    ListRequests: quarterOf(list),
    AllRequests: quarterOf(update),
    ListRequestsOfKey: quarterOf(list),
    AllRequestsOfKey: quarterOf(update),
  };
  const [, ...rateRules] = Rules;
  expect(rateRules.map(({ Name }: Json) => Name)).toStrictEqual(Object.keys(most));
  const tooHigh = rateRules.filter(
    ({ Name, Statement: { RateBasedStatement: rate } }: Json) =>
      (60 / rate.EvaluationWindowSec) * rate.Limit > Number(most[Name]),
  );
  expect(tooHigh).toStrictEqual([]);
});

test.each(each)('%s logs no key, neither in its access log nor in samples', (stageName) => {
  const { all } = stackOf(stageName);
  const [{ AccessLogSetting, MethodSettings }] = all('AWS::ApiGateway::Stage');
  expect(AccessLogSetting.Format).not.toMatch(
    /error\.message|authorizer\.principalId|requestOverride|Authorization/,
  );
  expect(MethodSettings.map(({ DataTraceEnabled }: Json) => DataTraceEnabled)).toStrictEqual(
    Array(3).fill(false),
  );
  const sampled = all('AWS::WAFv2::WebACL')
    .flatMap((webAcl) => [webAcl, ...webAcl.Rules])
    .map(({ VisibilityConfig }) => VisibilityConfig.SampledRequestsEnabled);
  expect(sampled).toStrictEqual(Array(stageName === 'prod' ? 7 : 0).fill(false));
});

/** The properties that name what an account has one list of, in a region or in all of them. */
const physicalName =
  /^(Alarm|Application|Dashboard|DeploymentGroup|Filter|Function|LogGroup|Role|Rule|Table|Topic)Name$/;

test.each(each)(
  'copies of %s do not collide: its names are made or have the stage',
  (stageName) => {
    const { Resources, all } = stackOf(stageName);
    const given = Object.values(Resources)
      .flatMap(({ Properties = {} }) =>
        Object.entries({ ...Properties, ...Properties.SamplingRule }),
      )
      .filter(([property, name]) => physicalName.test(property) && !/^<\w+>$/.test(String(name)))
      .map(([, name]) => name);
    expect(given.sort()).toStrictEqual([
      `petstore-inventory-${stageName}`,
      // An account has one list of dashboards for all regions.
      `petstore-inventory-${stageName}-<AWS::Region>`,
    ]);
    const queries = all('AWS::Logs::QueryDefinition').map(({ Name }) => Name.replace(/[^/]+$/, ''));
    expect(queries).toStrictEqual(Array(8).fill(`petstore-inventory/${stageName}/`));
  },
);

test.each(each)('X-Ray traces 5 %% of what %s does, by a rule that is its own', (stageName) => {
  const { all } = stackOf(stageName);
  const [{ SamplingRule }] = all('AWS::XRay::SamplingRule');
  const [{ Name }] = all('AWS::ApiGateway::RestApi');
  expect(SamplingRule).toMatchObject({
    ServiceType: 'AWS::ApiGateway::Stage',
    // X-Ray calls the stage of an API so.
    ServiceName: `${Name}/<ApiDeploymentStage${stageName}>`,
    FixedRate: 0.05,
    // The first requests of each second would be traced beside it.
    ReservoirSize: 0,
  });
  expect(SamplingRule.RuleName.length).toBeLessThanOrEqual(32);

  const [{ TracingEnabled }] = all('AWS::ApiGateway::Stage');
  const modes = all('AWS::Lambda::Function').map(({ TracingConfig }) => TracingConfig.Mode);
  expect([TracingEnabled, ...modes]).toStrictEqual([true, 'Active', 'Active', 'Active']);
});

test.each(each)('the functions of %s talk to DynamoDB by TLS, in their region', (stageName) => {
  const endpoints = stackOf(stageName)
    .all('AWS::Lambda::Function')
    .map(({ Environment }) => Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB);
  const endpoint = 'https://dynamodb.<AWS::Region>.<AWS::URLSuffix>';
  expect(endpoints).toStrictEqual([endpoint, endpoint, endpoint]);
});

test.each(each)('clients talk to %s by TLS 1.2 or later', (stageName) => {
  const [{ SecurityPolicy }] = stackOf(stageName).all('AWS::ApiGateway::RestApi');
  expect(SecurityPolicy).toMatch(/^SecurityPolicy_TLS13_1_[23]_/);
});

test.each(each)('%s forgets a revoked key within a minute, its check included', (stageName) => {
  const { all, byName } = stackOf(stageName);
  const [{ AuthorizerResultTtlInSeconds: kept }] = all('AWS::ApiGateway::Authorizer');
  expect(kept + byName('AWS::Lambda::Function').Authorizer.Timeout).toBeLessThanOrEqual(60);
});

// The policy that enforces TLS has replaced the one that would let CloudWatch publish.
test.each(each)(
  'an alarm of %s that people act on tells them its begin and its end',
  (stageName) => {
    const { all, byName } = stackOf(stageName);
    const told = Object.entries(byName('AWS::CloudWatch::Alarm'))
      .filter(([name]) => name.startsWith('Alarms'))
      .map(([, { AlarmActions, OKActions }]) => [AlarmActions, OKActions]);
    expect(told).toStrictEqual(Array(5).fill([['<AlarmsTopic>'], ['<AlarmsTopic>']]));
    const [{ PolicyDocument }] = all('AWS::SNS::TopicPolicy');
    expect(PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow')).toStrictEqual(
      [
        {
          Sid: 'AllowAlarms',
          Effect: 'Allow',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: '<AlarmsTopic>',
          Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
        },
      ],
    );
  },
);

/** Returns each metric of the alarms and the dashboard, as `Namespace Name Dimension=Value…`. */
const watchedIn = ({ all }: ReturnType<typeof stackOf>): string[] => {
  const named = (Namespace: string, MetricName: string, dimensions: string[]) =>
    [Namespace, MetricName, ...dimensions.sort()].join(' ');
  const ofAlarms = all('AWS::CloudWatch::Alarm')
    .flatMap(({ Metrics, ...alarm }) => Metrics?.map(({ MetricStat }: Json) => MetricStat) ?? alarm)
    .map((stat) => stat?.Metric ?? stat)
    .filter((metric) => metric?.MetricName)
    .map(({ Namespace, MetricName, Dimensions = [] }) =>
      named(
        Namespace,
        MetricName,
        Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`),
      ),
    );
  const [{ DashboardBody }] = all('AWS::CloudWatch::Dashboard');
  const ofGraphs = JSON.parse(DashboardBody)
    .widgets.flatMap(({ properties }: Json) => properties.metrics ?? [])
    .filter(([namespace]: Json[]) => typeof namespace === 'string')
    .map(([namespace, name, ...rest]: Json[]) => {
      const texts = rest.filter((each) => typeof each === 'string');
      const pairs = texts.flatMap((text, i) => (i % 2 === 0 ? [`${text}=${texts[i + 1]}`] : []));
      return named(namespace, name, pairs);
    });
  return [...new Set([...ofAlarms, ...ofGraphs])];
};

test.each(each)('the dashboard of %s begins with each alarm that people act on', (stageName) => {
  const { all, byName } = stackOf(stageName);
  const [{ DashboardBody }] = all('AWS::CloudWatch::Dashboard');
  const names = Object.keys(byName('AWS::CloudWatch::Alarm'));
  expect(JSON.parse(DashboardBody).widgets[0].properties.alarms).toStrictEqual(
    names.filter((name) => name.startsWith('Alarms')).map((name) => `<${name}.Arn>`),
  );
});

test.each(each)('a graph of %s that names an operation shows its metrics', (stageName) => {
  const [{ DashboardBody }] = stackOf(stageName).all('AWS::CloudWatch::Dashboard');
  const paths = JSON.parse(DashboardBody)
    .widgets.map(({ properties }: Json) => properties)
    .filter(({ title }: Json) => / latency$/.test(title))
    .map(({ title, metrics }: Json) => [
      title,
      metrics.map((metric: Json[]) => metric[metric.indexOf('Resource') + 1]),
    ]);
  expect(Object.fromEntries(paths)).toStrictEqual({
    'listInventory latency': Array(3).fill('/v1/inventory'),
    'updateInventory latency': Array(3).fill('/v1/inventory/{petId}'),
  });
});

test.each(each)('%s publishes every metric that its alarms and graphs watch', (stageName) => {
  const stack = stackOf(stageName);
  const { all, byName } = stack;
  const ofRules = all('AWS::WAFv2::WebACL').flatMap(({ VisibilityConfig: acl, Rules }) =>
    Rules.map(({ VisibilityConfig: rule }: Json) =>
      acl.CloudWatchMetricsEnabled && rule.CloudWatchMetricsEnabled
        ? `Region=<AWS::Region> Rule=${rule.MetricName} WebACL=${acl.MetricName}`
        : 'off',
    ),
  );
  const ofLogs = all('AWS::Logs::MetricFilter').map(({ MetricTransformations: [metric] }) =>
    [metric.MetricNamespace, metric.MetricName].join(' '),
  );
  const isPublished: Record<string, (metric: string) => boolean> = {
    'AWS/WAFV2': (metric) => ofRules.includes(metric.split(' ').slice(2).join(' ')),
    [`PetstoreInventory/${stageName}`]: (metric) => ofLogs.includes(metric),
    // The functions publish these themselves: test/functions/observability/log-line.test.ts.
    PetstoreInventory: (metric) =>
      metric.endsWith(` Stage=${stageName}`) ||
      /^PetstoreInventory Faults FunctionName=<\w+> FunctionVersion=<\w+.Version>$/.test(metric),
    'AWS/ApiGateway': (metric) => {
      const [, method, path] = /Method=(\w+) Resource=(\S+)/.exec(metric) ?? [];
      const api = `ApiName=petstore-inventory-${stageName}`;
      const hasOwn = () => settingsOf(stageName, `${method} ${path}`)?.MetricsEnabled === true;
      return metric.includes(api) && (method === undefined || hasOwn());
    },
    'AWS/Lambda': (metric) => {
      const name = /FunctionName=<(\w+)>/.exec(metric)?.[1];
      return name === undefined
        ? metric === 'AWS/Lambda ConcurrentExecutions'
        : name in byName('AWS::Lambda::Function');
    },
    'AWS/DynamoDB': (metric) =>
      (/TableName=<(\w+)>/.exec(metric)?.[1] ?? '') in byName('AWS::DynamoDB::GlobalTable'),
  };
  const watched = watchedIn(stack);
  const unknown = watched.filter(
    (metric) => isPublished[metric.split(' ')[0] ?? '']?.(metric) !== true,
  );
  expect(watched.length).toBeGreaterThan(30);
  expect(unknown).toStrictEqual([]);
});
