import type { Json } from '../../support/stack/template.ts';

/**
 * What happens in one minute: values by metric and dimensions, such as `AWS/Lambda Errors
 * FunctionName=<Authorizer>`. A value that is no sum is named with its statistic, such as
 * `AWS/Lambda Duration p99 FunctionName=<Authorizer>`.
 */
export type Minute = Record<string, number>;

/** A metric that an alarm watches, named as in a `Minute`. */
interface Watched {
  name: string;
  statistic: string;
  seconds: number;
}

/** Returns the name, in a `Minute`, of a metric as a template has it. */
const nameOf = ({ Namespace, MetricName, Dimensions = [] }: Json, statistic: string): string => {
  const kind = statistic === 'Sum' ? [] : [statistic];
  const dimensions = Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`);
  return [Namespace, MetricName, ...kind, ...dimensions].join(' ');
};

/** Returns the metrics that an alarm watches by id, and the expression that it computes of them. */
const watchedBy = (alarm: Json): { expression: string; metrics: Record<string, Watched> } => {
  if (alarm.Metrics === undefined) {
    const statistic = alarm.Statistic ?? alarm.ExtendedStatistic;
    const value = { name: nameOf(alarm, statistic), statistic, seconds: alarm.Period };
    return { expression: 'value', metrics: { value } };
  }
  let expression = '';
  const metrics: Record<string, Watched> = {};
  for (const { Id, Expression, MetricStat, ReturnData = true } of alarm.Metrics) {
    if (ReturnData) {
      expression = Expression;
    } else {
      const { Metric, Stat, Period } = MetricStat;
      metrics[Id] = { name: nameOf(Metric, Stat), statistic: Stat, seconds: Period };
    }
  }
  return { expression, metrics };
};

/** Returns a period's value of a metric; undefined without data. */
const aggregate = ({ name, statistic }: Watched, minutes: Minute[]): number | undefined => {
  const values = minutes.flatMap((minute) => minute[name] ?? []);
  if (values.length === 0) {
    return undefined;
  }
  const isSum = statistic === 'Sum';
  return isSum ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
};

/** The functions of CloudWatch's metric math that the alarms use. */
const functions = {
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  FILL: (value: number | undefined, filler: number) => value ?? filler,
};

/** Computes an expression of metric math, whose operators are those of JavaScript. */
const compute = (
  expression: string,
  values: Record<string, number | undefined>,
): number | undefined => {
  const names = { ...functions, ...values };
  const evaluate = new Function(...Object.keys(names), `return ${expression}`);
  const value: unknown = evaluate(...Object.values(names));
  // An expression of a metric without data has no data.
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
};

/** Whether an alarm of a template would be on at the end of these minutes. */
const isOnAfter = (alarm: Json, minutes: Minute[]): boolean => {
  const { expression, metrics } = watchedBy(alarm);
  const length = Number(Object.values(metrics)[0]?.seconds) / 60;
  let breaches = 0;
  for (let period = 0; period < alarm.EvaluationPeriods; period += 1) {
    const end = minutes.length - period * length;
    const ofPeriod = minutes.slice(Math.max(0, end - length), Math.max(0, end));
    const values = Object.entries(metrics).map(([id, metric]) => [id, aggregate(metric, ofPeriod)]);
    const value = compute(expression, Object.fromEntries(values));
    breaches += Number(value !== undefined && value >= alarm.Threshold);
  }
  return breaches >= alarm.DatapointsToAlarm;
};

/** Whether an alarm of a template goes off at any time during these minutes. */
export const goesOff = (alarm: Json, minutes: Minute[]): boolean =>
  minutes.some((_minute, index) => isOnAfter(alarm, minutes.slice(0, index + 1)));
