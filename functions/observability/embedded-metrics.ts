import { variable } from '../shared/environment.ts';
import { type Counts, metricNamespace } from './metrics.ts';

const Stage = variable('STAGE_NAME');
const FunctionName = variable('AWS_LAMBDA_FUNCTION_NAME');
const FunctionVersion = variable('AWS_LAMBDA_FUNCTION_VERSION');

/**
 * Returns the fields of a log line from which CloudWatch makes metrics, without an API call
 * (embedded metric format). The counts named in `ofVersion` also become metrics of the function's
 * version, for the alarms that roll back a bad release.
 */
export const embeddedMetrics = (counts: Counts, ofVersion: (keyof Counts)[]): object => {
  const names = Object.keys(counts);
  if (names.length === 0) {
    return {};
  }
  const directive = (dimensions: string[], metrics: string[]) => ({
    Namespace: metricNamespace,
    Dimensions: [dimensions],
    Metrics: metrics.map((Name) => ({ Name, Unit: 'Count' })),
  });
  const CloudWatchMetrics = [directive(['Stage'], names)];
  if (ofVersion.length > 0) {
    CloudWatchMetrics.push(directive(['FunctionName', 'FunctionVersion'], ofVersion));
  }
  return {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics },
    Stage,
    FunctionName,
    FunctionVersion,
    ...counts,
  };
};
