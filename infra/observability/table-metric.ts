import type { IMetric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { type Observed, type ObservedFunction, shortAction } from './observed.ts';

/** Returns how often DynamoDB throttled the action that a function takes on its table. */
export const throttledRequests = (
  { tables }: Observed,
  watched: ObservedFunction,
  options: MetricOptions,
): IMetric => {
  const table = tables[watched.table];
  const dimensionsMap = { TableName: table.tableName, Operation: shortAction(watched) };
  return table.metric('ThrottledRequests', { ...options, dimensionsMap });
};
