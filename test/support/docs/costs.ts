import { countNames } from '../../../functions/observability/metrics.ts';
import {
  authorizerCacheSeconds,
  listTimeout,
  timeoutMargin,
} from '../../../functions/shared/time-limits.ts';
import type { OperationId } from '../../../infra/service/operations.ts';
import { bytesOfEntry, unitsOfList, unitsOfUpdate } from '../figures.ts';
import { stackOf } from '../stack/synthesized.ts';
import type { Json } from '../stack/template.ts';

/** AWS's list prices in dollars, for us-east-1 in November 2026. */
export const price = {
  apiRequest: 3.5e-6,
  lambdaRequest: 0.2e-6,
  /** Of 1 GB of memory on arm64. */
  lambdaSecond: 0.0000133334,
  /** A GB that is streamed after the first 6 MB of a response. */
  streamedGb: 0.008,
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  /** In the table and in its backup. */
  storedGb: 0.45,
  logGb: 0.5,
  metric: 0.3,
  alarmMetric: 0.1,
  dashboard: 3,
  webAcl: 5,
  webAclRule: 1,
  webAclRequest: 0.6e-6,
  transferGb: 0.09,
};

/** Bytes of a response for which Lambda's limits and prices of streaming do not hold yet. */
const freeBytes = 6e6;

/** Seconds in which Lambda sends so many bytes. */
export const secondsToSend = (bytes: number): number => Math.max(0, bytes - freeBytes) / 2e6;

/** The most bytes of a list: what Lambda sends before the function gives up. */
export const longestResponse = freeBytes + 2e6 * ((listTimeout - timeoutMargin) / 1_000);

/** How many entries a function compresses a second. */
export const entriesPerSecond = 150_000;

/** Bytes of a shop's entry with gzip, where every other petId has 16 digits. */
const zippedBytes = 14;

/**
 * Bytes of the log lines of a request, of one that gets a fixed answer, and of the check of a key
 * that is not cached.
 */
const logBytes = { request: 1_750, fixedAnswer: 550, check: 860 };

/** What a shop does in a month. */
interface Month {
  requests: Record<OperationId, number>;
  /** Its entries, all of which each list has. */
  entries: number;
  /** Clients with a key of their own. */
  keys: number;
}

export const months: Month[] = [
  { requests: { listInventory: 0, updateInventory: 0 }, entries: 0, keys: 0 },
  { requests: { listInventory: 3_000, updateInventory: 100_000 }, entries: 1_000, keys: 2 },
  { requests: { listInventory: 730_000, updateInventory: 6_570_000 }, entries: 10_000, keys: 10 },
  {
    requests: { listInventory: 36 * 730_000, updateInventory: 36 * 6_570_000 },
    entries: 10_000,
    keys: 10,
  },
];

const secondsOfMonth = 730 * 3_600;

interface Cost {
  api: number;
  lambda: number;
  tables: number;
  transfer: number;
}

/** Dollars of Lambda for a request of so many seconds. */
const lambda = (seconds: number) => price.lambdaRequest + seconds * price.lambdaSecond;

/** Returns what a list of so many entries costs that have so many bytes each. */
export const costOfList = (entries: number, bytesOfOne: number): Cost => {
  const bytes = entries * bytesOfOne;
  const seconds = Math.max(entries / entriesPerSecond, secondsToSend(bytes));
  return {
    // API Gateway counts a request for every 10 MB.
    api: Math.max(1, Math.ceil(bytes / 10e6)) * price.apiRequest,
    lambda: lambda(seconds) + (Math.max(0, bytes - freeBytes) / 1e9) * price.streamedGb,
    tables: unitsOfList(entries) * price.readUnit,
    transfer: (bytes / 1e9) * price.transferGb,
  };
};

const costOf: Record<OperationId, (entries: number) => Cost> = {
  listInventory: (entries) => costOfList(entries, zippedBytes),
  updateInventory: () => ({
    api: price.apiRequest,
    lambda: lambda(0.01),
    tables: unitsOfUpdate.plain * price.writeUnit,
    transfer: 0,
  }),
};

export const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

const { all } = stackOf('prod');

/** Returns what the firewall of a stage costs in a month, if it has one. */
export const firewallOf = (stageName: string, requests: number): number =>
  sum(
    stackOf(stageName)
      .all('AWS::WAFv2::WebACL')
      .map(
        ({ Rules }) =>
          price.webAcl + Rules.length * price.webAclRule + requests * price.webAclRequest,
      ),
  );

/** Returns what the metrics that alarms of a stage watch, and its dashboard, cost in a month. */
const alarmsOf = (stageName: string): number => {
  const watched = stackOf(stageName)
    .all('AWS::CloudWatch::Alarm')
    .flatMap(({ Metrics = [{ MetricStat: {} }] }: Json): Json[] =>
      Metrics.filter(({ MetricStat }: Json) => MetricStat !== undefined),
    );
  return watched.length * price.alarmMetric + price.dashboard;
};

/** Returns what a stage costs in a month in which nobody uses it. */
export const idleCostOf = (stageName: string): number =>
  firewallOf(stageName, 0) + alarmsOf(stageName);

const [{ MethodSettings: methods }] = all('AWS::ApiGateway::Stage');
/** What API Gateway publishes of a method: requests, 4xx, 5xx and two latencies. */
const metricsOfMethod = 5;
/** CloudWatch charges for a metric in the months in which it has a value. */
const usedMetrics =
  countNames.length +
  all('AWS::Logs::MetricFilter').length +
  metricsOfMethod * methods.filter(({ MetricsEnabled }: Json) => MetricsEnabled).length;

/** Returns what prod costs in a month, by the rows of docs/reference.md. */
export const bill = ({ requests, entries, keys }: Month): Record<string, number> => {
  const operations = Object.entries(costOf) as [OperationId, (typeof costOf)[OperationId]][];
  const total = (part: keyof Cost): number =>
    sum(operations.map(([id, cost]) => requests[id] * cost(entries)[part]));
  const count = sum(Object.values(requests));
  const checks = Math.min(count, (keys * secondsOfMonth) / authorizerCacheSeconds);
  const logged = count * logBytes.request + checks * logBytes.check;
  return {
    'API Gateway': total('api'),
    Lambda: total('lambda') + checks * lambda(0.01),
    DynamoDB:
      total('tables') +
      checks * price.readUnit +
      ((entries * bytesOfEntry.stored) / 1e9) * price.storedGb,
    'Data transfer, with gzip': total('transfer'),
    Firewall: firewallOf('prod', count),
    'Logs, metrics': (logged / 1e9) * price.logGb + (count === 0 ? 0 : usedMetrics * price.metric),
    'Alarms, dashboard': alarmsOf('prod'),
  };
};

/** Returns what so many updates cost more than none, without the checks of their keys. */
export const costOfUpdates = (count: number, units: number): number =>
  count *
  (price.apiRequest +
    lambda(0.01) +
    units * price.writeUnit +
    price.webAclRequest +
    (logBytes.request / 1e9) * price.logGb);

/** Returns what requests for unknown paths and methods of staging cost that come all month. */
export const costOfScanner = (): { perSecond: number; open: number; cost: number } => {
  const { all: ofStaging } = stackOf('staging');
  const open = ofStaging('AWS::ApiGateway::Method').filter(
    ({ AuthorizationType }) => AuthorizationType === 'NONE',
  ).length;
  const [{ MethodSettings }] = ofStaging('AWS::ApiGateway::Stage');
  const { ThrottlingRateLimit: perSecond } = MethodSettings.find(
    ({ HttpMethod }: Json) => HttpMethod === '*',
  );
  const requests = open * perSecond * secondsOfMonth;
  const cost = requests * (price.apiRequest + (logBytes.fixedAnswer / 1e9) * price.logGb);
  return { perSecond, open, cost };
};
