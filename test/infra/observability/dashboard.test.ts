import { expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

const [{ DashboardBody }] = stackOf('prod').all('AWS::CloudWatch::Dashboard');
const { widgets } = JSON.parse(DashboardBody);

const percentiles = ['p50', 'p90', 'p99'];

test('the dashboard has a graph for each cause that an alarm may have', () => {
  const graphs = widgets
    .filter(({ type }: Json) => type === 'metric')
    .map(({ properties: { title, metrics } }: Json) => [
      title,
      metrics.map((metric: Json[]) => metric.at(-1).label),
    ]);
  expect(Object.fromEntries(graphs)).toEqual({
    'Requests per minute': ['listInventory', 'updateInventory'],
    'API errors': [
      '4xx',
      '5xx',
      '429: limits of the stage',
      'firewall: UninspectedHeaders',
      'firewall: RequestsWithoutKey',
      'firewall: ListRequests',
      'firewall: AllRequests',
      'firewall: ListRequestsOfKey',
      'firewall: AllRequestsOfKey',
    ],
    Outcomes: ['Lists', 'Updates', 'NotFound', 'PreconditionFailed', 'Faults'],
    'listInventory latency': percentiles,
    'updateInventory latency': percentiles,
    'Authorizer duration': percentiles,
    'Function errors and throttles': [
      'Authorizer errors',
      'Authorizer throttles',
      'ListInventory errors',
      'ListInventory throttles',
      'UpdateInventory errors',
      'UpdateInventory throttles',
    ],
    'Cold starts': ['ColdStarts'],
    'Concurrent executions': [
      'Authorizer',
      'ListInventory',
      'UpdateInventory',
      'all of the account',
    ],
    'Table capacity units per minute': [
      'inventory read',
      'inventory write',
      'keys read',
      'keys write',
    ],
    'Throttled table requests': ['ApiKeys GetItem', 'Inventory Scan', 'Inventory UpdateItem'],
    'Entries per list': ['largest', 'average'],
  });
});

test('the dashboard names the saved queries', () => {
  const { properties } = widgets.find(({ type }: Json) => type === 'text');
  const names = stackOf('prod')
    .all('AWS::Logs::QueryDefinition')
    .map(({ Name }) => `- \`${Name}\``);
  expect(properties.markdown.match(/^- .+$/gm)).toEqual(names);
});
