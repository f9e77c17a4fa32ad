import { variable } from '../shared/environment.ts';
import { type Counts, dimensionsOf, metricNamespace } from './metrics.ts';

const Stage = variable('STAGE_NAME');
const FunctionName = variable('AWS_LAMBDA_FUNCTION_NAME');
const FunctionVersion = variable('AWS_LAMBDA_FUNCTION_VERSION');

/**
 * Returns the fields of a log line from which CloudWatch makes metrics, without an API call
 * (embedded metric format).
 */
export const embeddedMetrics = (counts: Counts): object => {
  const names = Object.keys(counts) as (keyof Counts)[];
  if (names.length === 0) {
    return {};
  }
  const directives = [...Map.groupBy(names, (name) => dimensionsOf[name])].map(
    ([dimensions, named]) => ({
      Namespace: metricNamespace,
      Dimensions: [dimensions],
      Metrics: named.map((Name) => ({ Name, Unit: 'Count' })),
    }),
  );
  return {
    _aws: { Timestamp: Date.now(), CloudWatchMetrics: directives },
    Stage,
    FunctionName,
    FunctionVersion,
    ...counts,
  };
};
