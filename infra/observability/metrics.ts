import { Duration } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { type Counts, metricNamespace } from '../../functions/observability/metrics.ts';

export const everyMinute = (statistic: string) => ({ period: Duration.minutes(1), statistic });

export const sumOver = (minutes: number) => ({
  period: Duration.minutes(minutes),
  statistic: 'Sum',
});

/** Returns the metric of something that the functions of a stage count in their log lines. */
export const stageMetric = (
  stageName: string,
  metricName: Exclude<keyof Counts, 'Faults'>,
  options: MetricOptions,
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { Stage: stageName },
    ...options,
  });
