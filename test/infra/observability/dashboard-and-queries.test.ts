import { expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

const { all } = stackOf('prod');
const queries = all('AWS::Logs::QueryDefinition');
const [{ AccessLogSetting }] = all('AWS::ApiGateway::Stage');
const loggedFields = Object.keys(JSON.parse(AccessLogSetting.Format));

const queryOf = (name: string): string =>
  queries.find(({ Name }: Json) => Name === `petstore-inventory/prod/${name}`).QueryString;

/**
 * Whether a line of a log, or of a result, passes each filter of a query. A condition becomes one of
 * JavaScript, in which a field that the line lacks is undefined.
 */
const passes = (query: string, line: Json): boolean =>
  query
    .split(/(?:^|\n)\s*\| (?=\w)|(?<=^)(?=filter)/)
    .filter((command) => command.startsWith('filter '))
    .every((command) => {
      const condition = command
        .replace('filter ', '')
        .replaceAll(/(?<=[^!<>])= /g, '== ')
        .replaceAll(' and ', ' && ')
        .replaceAll(/\s+or /g, ' || ')
        .replaceAll(/[\w.]*[a-z]\w*(?=[ )]|$)/gi, (field) => field.replaceAll('.', '?.'));
      const fields = new Proxy(line, { has: (_line, name) => name !== 'ispresent' });
      const ispresent = (value: unknown) => value !== undefined;
      return new Function('fields', 'ispresent', `with (fields) { return ${condition} }`)(
        fields,
        ispresent,
      );
    });

const update = { operation: 'updateInventory', status: 200, petId: '1' };
const report = (record: object) => ({ type: 'platform.report', record });
const coldStart = report({ status: 'success', metrics: { initDurationMs: 120 } });

test.each([
  {
    name: 'server-errors',
    found: [{ level: 'ERROR', status: 200 }, { status: 503 }, report({ status: 'timeout' })],
    left: [{ level: 'INFO', status: 404 }, coldStart],
  },
  {
    name: 'changes-of-a-pet',
    found: [update],
    left: [
      { ...update, petId: '2' },
      { ...update, status: 404 },
      { ...update, operation: 'listInventory' },
    ],
  },
  {
    name: 'cold-starts',
    found: [coldStart],
    left: [report({ status: 'success', metrics: {} }), update],
  },
  { name: 'rejected-keys', found: [{ status: '401' }], left: [{ status: '403' }] },
  { name: 'throttled-requests', found: [{ throttled: 1 }], left: [{ throttled: 0 }] },
  { name: 'use-of-keys', found: [{ keyId: 'a1' }], left: [{ keyId: '-' }] },
])('$name finds what it is about, and leaves the rest', ({ name, found, left }) => {
  const result = [...found, ...left].filter((line) => passes(queryOf(name), line));
  expect(result).toEqual(found);
});

test('a query shows the newest lines, or those with the largest values, first', () => {
  const orders = queries.flatMap(
    ({ QueryString }: Json) => QueryString.match(/(?<=\| sort ).+/g) ?? [],
  );
  expect(orders).toEqual([
    '@timestamp desc',
    '@timestamp desc',
    'requests desc',
    'latency desc',
    'rejected desc',
    'throttled desc',
    'lastRequest desc',
  ]);
});

const functions = ['stats', 'count', 'sum', 'max', 'pct', 'substr', 'strcontains', 'sortsLast'];
const words = ['filter', 'fields', 'sort', 'limit', 'by', 'as', 'desc'];

/** Returns the fields that a query reads, without those that it makes itself. */
const fieldsOf = (query: string): string[] => {
  const made = query.match(/(?<= as )\w+/g) ?? [];
  const names = query.replaceAll(/"[^"]*"/g, '').match(/(?<![@\w])[a-zA-Z]\w*/g) ?? [];
  return names.filter((name) => ![...made, ...functions, ...words].includes(name));
};

test('the queries of the access log read fields that it has', () => {
  const ofAccessLog = queries.filter(({ LogGroupNames }: Json) =>
    LogGroupNames.includes('<ApiAccessLog>'),
  );
  const unknown = ofAccessLog.flatMap(({ QueryString }: Json) =>
    fieldsOf(QueryString).filter((field) => !loggedFields.includes(field)),
  );
  expect(ofAccessLog).toHaveLength(5);
  expect(unknown).toEqual([]);
});

const [{ DashboardBody }] = all('AWS::CloudWatch::Dashboard');
const { widgets } = JSON.parse(DashboardBody);
const graphs = widgets.filter(({ type }: Json) => type === 'metric');

const percentiles = ['p50', 'p90', 'p99'];

test('the dashboard has a graph for each cause that an alarm may have', () => {
  const labels = graphs.map(({ properties: { title, metrics } }: Json) => [
    title,
    metrics.map((metric: Json[]) => metric.at(-1).label),
  ]);
  expect(Object.fromEntries(labels)).toEqual({
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

test('a graph shows a count as its sum for each minute', () => {
  const shown = graphs.map(({ properties: { title, metrics } }: Json) => [
    title,
    metrics.map((metric: Json[]) => {
      // CloudWatch's default is the average.
      const { period, stat = 'Average' } = metric.at(-1);
      return `${stat} of ${period} s`;
    }),
  ]);
  const others: Record<string, string[]> = {
    'listInventory latency': percentiles,
    'updateInventory latency': percentiles,
    'Authorizer duration': percentiles,
    'Concurrent executions': Array(4).fill('Maximum'),
    'Entries per list': ['Maximum', 'Average'],
  };
  expect(shown).toEqual(
    shown.map(([title, statistics]: [string, string[]]) => [
      title,
      (others[title] ?? statistics.map(() => 'Sum')).map((statistic) => `${statistic} of 60 s`),
    ]),
  );
});

test('the dashboard names the saved queries', () => {
  const { properties } = widgets.find(({ type }: Json) => type === 'text');
  const names = queries.map(({ Name }: Json) => `- \`${Name}\``);
  expect(properties.markdown.match(/^- .+$/gm)).toEqual(names);
});
