import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { type Counts, metricNamespace } from '../../functions/observability/metrics.ts';

/** Returns the metric of something that the functions of a stage count in their log lines. */
export const stageMetric = (
  stageName: string,
  metricName: keyof Counts,
  options: MetricOptions,
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { Stage: stageName },
    ...options,
  });
