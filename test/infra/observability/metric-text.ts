import type { Json } from '../../support/stack/template.ts';

/** A metric as a template has it: its namespace, name, dimensions, statistic and period. */
interface MetricInTemplate {
  Namespace: string;
  MetricName: string;
  Dimensions?: { Name: string; Value: string }[];
}

/** Describes a metric in a line. */
export const metricText = (
  { Namespace, MetricName, Dimensions = [] }: MetricInTemplate,
  { statistic, seconds }: { statistic: string; seconds: number },
): string => {
  const dimensions = Dimensions.map(({ Name, Value }) => ` ${Name}=${Value}`).join('');
  return `${Namespace} ${MetricName}${dimensions}, ${statistic} of ${seconds} s`;
};

/** What an alarm compares with its threshold: a metric, or an expression of metrics by id. */
export interface AlarmMetric {
  expression: string;
  metrics: Record<string, string>;
}

/** Returns what an alarm of a template watches. Its own metric has the id `value`. */
export const watchedBy = (alarm: Json): AlarmMetric => {
  if (alarm.Metrics === undefined) {
    const statistic = alarm.Statistic ?? alarm.ExtendedStatistic;
    const text = metricText(alarm, { statistic, seconds: alarm.Period });
    return { expression: 'value', metrics: { value: text } };
  }
  let expression = '';
  const metrics: AlarmMetric['metrics'] = {};
  for (const { Id, Expression, MetricStat, ReturnData = true } of alarm.Metrics) {
    if (ReturnData) {
      expression = Expression;
    } else {
      const { Metric, Stat, Period } = MetricStat;
      metrics[Id] = metricText(Metric, { statistic: Stat, seconds: Period });
    }
  }
  return { expression, metrics };
};
