import { stageOf } from '../test/support/stack/in-process.ts';
import { prod } from '../test/support/stack/stages.ts';
import type { Json } from '../test/support/stack/template.ts';
import { price } from './price-list.ts';
import { type Cost, keyCheck, list, storedEntryBytes, sumOf, update } from './request-cost.ts';

/** What a shop does in a month. */
export interface Month {
  name: string;
  updates: number;
  lists: number;
  /** Its entries, all of which each list has. */
  entries: number;
  /** Clients with a key of their own. */
  keys: number;
}

export const months: Month[] = [
  { name: 'idle', updates: 0, lists: 0, entries: 1_000, keys: 0 },
  { name: 'small shop', updates: 100_000, lists: 3_000, entries: 1_000, keys: 2 },
  // 10,000 requests an hour, of which every tenth is a list.
  { name: 'busy shop', updates: 6_570_000, lists: 730_000, entries: 10_000, keys: 10 },
];

const stack = stageOf(prod);

/** What prod consists of, by its template. */
const resources = {
  rules: stack.all('AWS::WAFv2::WebACL')[0].Rules.length,
  alarms: stack.all('AWS::CloudWatch::Alarm'),
  operations: stack.all('AWS::ApiGateway::Method').filter(({ OperationName }) => OperationName),
  dashboards: stack.all('AWS::CloudWatch::Dashboard'),
};

/** Returns what prod costs in a month, by what AWS charges for. */
export const monthCost = (month: Month) => ({
  ...requestsOf(month),
  firewall: firewallOf(month),
  metrics: metricsOf(month),
  alarms: alarmsOfMonth(),
  traces: tracesOf(month) * price.traceRecorded,
});

type MonthCost = ReturnType<typeof monthCost>;

/** The rows of a bill. */
const billed: { part: keyof MonthCost; label: string }[] = [
  { part: 'apiGateway', label: 'API Gateway' },
  { part: 'lambda', label: 'Lambda' },
  { part: 'dynamodb', label: 'DynamoDB' },
  { part: 'transfer', label: 'Data transfer' },
  { part: 'firewall', label: 'Firewall' },
  { part: 'logs', label: 'Logs' },
  { part: 'metrics', label: 'Metrics' },
  { part: 'alarms', label: 'Alarms and dashboard' },
  { part: 'traces', label: 'Traces' },
];

const minutes = 730 * 60;

const requestsOf = ({ updates, lists, entries, keys }: Month): Cost => {
  const oneList = list(entries).cost;
  // API Gateway keeps the result of a check for a minute.
  const checks = Math.min(updates + lists, keys * minutes);
  const total = (part: keyof Cost) =>
    updates * update[part] + lists * oneList[part] + checks * keyCheck[part];
  const storage = ((entries * storedEntryBytes) / 1e9) * (price.tableGbMonth + price.backupGbMonth);
  return {
    apiGateway: total('apiGateway'),
    lambda: total('lambda'),
    dynamodb: total('dynamodb') + storage,
    logs: total('logs'),
    transfer: total('transfer'),
  };
};

/** Metrics are charged for in months in which they have a value. */
const metricsOf = ({ updates, lists }: Month): number => {
  if (updates + lists === 0) {
    return 0;
  }
  const ofOperation = ['Count', 'Latency', 'IntegrationLatency', '4XXError', '5XXError'];
  const ofStage = ['Lists', 'EntriesListed', 'Updates', 'NotFound', 'ColdStarts', 'Throttled'];
  const count = ofOperation.length * resources.operations.length + ofStage.length;
  return count * price.metricMonth;
};

const alarmsOfMonth = (): number => {
  const watched = resources.alarms.map(metricsWatchedBy).reduce((sum, count) => sum + count, 0);
  return watched * price.alarmMetricMonth + resources.dashboards.length * price.dashboardMonth;
};

const firewallOf = ({ updates, lists }: Month): number =>
  price.webAclMonth +
  resources.rules * price.webAclRuleMonth +
  (updates + lists) * price.webAclRequest;

/**
 * X-Ray records the first request of each second and 5 % of the others. Here they come evenly.
 */
const tracesOf = ({ updates, lists }: Month): number => {
  const seconds = minutes * 60;
  const requests = updates + lists;
  const first = Math.min(requests, seconds);
  return first + 0.05 * (requests - first);
};

/** An alarm on an expression is charged for each metric in it. */
const metricsWatchedBy = ({ Metrics }: Json): number =>
  Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }: Json) => MetricStat).length;

/** Returns a row for each part of the bill, with the dollars of each month. */
export const bills = (): Record<string, string>[] => {
  const costs = months.map((month) => ({ name: month.name, cost: monthCost(month) }));
  const rowOf = (label: string, dollars: (cost: MonthCost) => number) => ({
    part: label,
    ...Object.fromEntries(costs.map(({ name, cost }) => [name, dollars(cost).toFixed(2)])),
  });
  return [
    ...billed.map(({ part, label }) => rowOf(label, (cost) => cost[part])),
    rowOf('Total', sumOf),
  ];
};
