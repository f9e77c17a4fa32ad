export const metricNamespace = 'PetstoreInventory';

/** How often, in a request: each is a CloudWatch metric of the stage. */
export type Counts = Partial<
  Record<'Lists' | 'EntriesListed' | 'Updates' | 'NotFound' | 'Faults' | 'ColdStarts', number>
>;

const {
  STAGE_NAME: Stage,
  AWS_LAMBDA_FUNCTION_NAME: FunctionName,
  AWS_LAMBDA_FUNCTION_VERSION: FunctionVersion,
} = process.env;

/**
 * Members of a log line that make CloudWatch count, without a call of its API: the embedded metric format.
 * Faults are counted by version too, for the alarm that takes a bad release back.
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
  return { _aws: { Timestamp: Date.now(), CloudWatchMetrics }, Stage, FunctionName, FunctionVersion, ...counts };
};
