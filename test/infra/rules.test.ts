import { expect, test } from '@jest/globals';
import { operations } from '../../infra/service/operations.ts';
import { stages } from '../../infra/settings/stages.ts';
import { openapi } from '../../ops/acceptance/openapi.ts';
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

test('there is a function for each operation of openapi.yaml, and for no other', () => {
  const documented = Object.entries<Json>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(
      ([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`,
    ),
  );
  const rows = operations.map(
    ({ operationId, method, path }) => `${operationId}: ${method} ${path}`,
  );
  expect(rows.sort()).toStrictEqual(documented.sort());
});

test('a key that may only read can do a GET, and nothing else', () => {
  for (const { method, access } of operations) {
    expect([method, access]).toStrictEqual([method, method === 'GET' ? 'read' : 'write']);
  }
});

test.each(each)('%s leaves executions for updates when every list takes its time', (stageName) => {
  const { Timeout } = stackOf(stageName).byName('AWS::Lambda::Function').ListInventory;
  // An account that has asked for no other quota runs 1,000 functions at a time.
  expect(rateOf(stageName, list) * Timeout).toBeLessThanOrEqual(600);
});

test.each(each)('requests without a key are 1 %% of what an account gets, in %s', (stageName) => {
  const open = stackOf(stageName)
    .all('AWS::ApiGateway::Method')
    .filter(({ AuthorizationType }) => AuthorizationType === 'NONE');
  const invoked = open.filter(({ Integration }) => Integration.Type !== 'MOCK');
  expect(invoked).toStrictEqual([]);
  expect(open.length * rateOf(stageName, '* /*')).toBeLessThanOrEqual(0.01 * 10_000);
});

test('no client can use up more than a quarter of what prod accepts', () => {
  const { withoutKey, perAddress, perKey } = stages.prod.firewall as Json;
  const quarterOf = (route: string) => (60 * rateOf('prod', route)) / 4;
  expect(Math.max(perAddress.lists, perKey.lists)).toBeLessThanOrEqual(quarterOf(list));
  expect(Math.max(withoutKey, perAddress.all, perKey.all)).toBeLessThanOrEqual(quarterOf(update));
});

test.each(each)('%s logs no key, neither in its access log nor in samples', (stageName) => {
  const { all } = stackOf(stageName);
  const [{ AccessLogSetting, MethodSettings }] = all('AWS::ApiGateway::Stage');
  expect(AccessLogSetting.Format).not.toMatch(
    /error\.message|authorizer\.principalId|requestOverride|Authorization/,
  );
  const traced = MethodSettings.filter(({ DataTraceEnabled }: Json) => DataTraceEnabled !== false);
  const sampled = all('AWS::WAFv2::WebACL')
    .flatMap((webAcl) => [webAcl, ...webAcl.Rules])
    .filter(({ VisibilityConfig }) => VisibilityConfig.SampledRequestsEnabled !== false);
  expect([traced, sampled]).toStrictEqual([[], []]);
});

test.each(each)('no physical name of %s is fixed, so that copies do not collide', (stageName) => {
  const types =
    'Alarm|Application|Dashboard|DeploymentGroup|Filter|Function|LogGroup|Role|Table|Topic';
  const isName = new RegExp(`^(${types})Name$`);
  const fixed = Object.values(stackOf(stageName).Resources)
    .flatMap(({ Properties = {} }) => Object.entries(Properties))
    .filter(([property, name]) => isName.test(property) && !/^<\w+>$/.test(String(name)));
  expect(fixed).toStrictEqual([]);
});

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
    PetstoreInventory: () => true,
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
