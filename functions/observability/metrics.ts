export const metricNamespace = 'PetstoreInventory';

/** What one request counts. Each member is a CloudWatch metric of the stage. */
export type Counts = Partial<
  Record<'Lists' | 'EntriesListed' | 'Updates' | 'NotFound' | 'Faults' | 'ColdStarts', number>
>;

const {
  STAGE_NAME: Stage,
  AWS_LAMBDA_FUNCTION_NAME: FunctionName,
  AWS_LAMBDA_FUNCTION_VERSION: FunctionVersion,
} = process.env;

/**
 * Returns the fields of a log line from which CloudWatch makes metrics, without an API call
 * (embedded metric format). Faults are also counted by function version, for the alarm that rolls
 * back a bad release.
 */
export const embeddedMetrics = (counts: Counts): object => {
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
  if (counts.Faults) {
    CloudWatchMetrics.push(directive(['FunctionName', 'FunctionVersion'], ['Faults']));
  }
  return {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics },
    Stage,
    FunctionName,
    FunctionVersion,
    ...counts,
  };
};
