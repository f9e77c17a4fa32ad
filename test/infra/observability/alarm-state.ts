import type { Json } from '../../support/stack/template.ts';

/**
 * What happens in one minute: values by metric and dimensions, such as `AWS/Lambda Errors
 * FunctionName=<Authorizer>`. A value that is no sum is named with its statistic, such as
 * `AWS/Lambda Duration p99 FunctionName=<Authorizer>`.
 */
export type Minute = Record<string, number>;

/** Returns what an alarm watches: metrics, and expressions of these or of other expressions. */
const watchedBy = ({ Metrics, Period, Statistic, ExtendedStatistic, ...Metric }: Json): Json[] =>
  Metrics ?? [{ Id: 'm', MetricStat: { Metric, Period, Stat: Statistic ?? ExtendedStatistic } }];

/** Returns the value of a metric over some minutes; undefined without data. */
const aggregate = ({ Metric, Stat }: Json, minutes: Minute[]): number | undefined => {
  const { Namespace, MetricName, Dimensions = [] } = Metric;
  const statistic = Stat === 'Sum' ? [] : [Stat];
  const dimensions = Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`);
  const name = [Namespace, MetricName, ...statistic, ...dimensions].join(' ');
  const values = minutes.flatMap((minute) => minute[name] ?? []);
  if (values.length === 0) {
    return undefined;
  }
  return Stat === 'Sum' ? values.reduce((sum, value) => sum + value) : Math.max(...values);
};

/** The functions of CloudWatch's metric math that the alarms use. */
const functions = {
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  FILL: (value: number | undefined, filler: number) => value ?? filler,
};

const namesIn = (expression: string): string[] => expression.match(/\b[a-z]\w*/g) ?? [];

/** Returns the value of something watched. Metric math has the operators of JavaScript. */
const valueFor = (watched: Json[], id: string, minutes: Minute[]): number | undefined => {
  const { Expression, MetricStat } = watched.find(({ Id }) => Id === id);
  if (MetricStat) {
    return aggregate(MetricStat, minutes);
  }
  const values = Object.fromEntries(
    namesIn(Expression).map((name) => [name, valueFor(watched, name, minutes)]),
  );
  // An expression of something without data has no data, unless FILL says what to take.
  const needed = namesIn(Expression.replaceAll(/FILL\(\w+/g, ''));
  if (needed.some((name) => values[name] === undefined)) {
    return undefined;
  }
  const names = { ...functions, ...values };
  return new Function(...Object.keys(names), `return ${Expression}`)(...Object.values(names));
};

/** Whether an alarm of a template would be on at the end of these minutes. */
const isOnAfter = (alarm: Json, minutes: Minute[]): boolean => {
  const watched = watchedBy(alarm);
  const compared = watched.find(({ ReturnData = true }) => ReturnData).Id;
  const length = watched.find(({ MetricStat }) => MetricStat).MetricStat.Period / 60;
  const breaches = Array.from({ length: alarm.EvaluationPeriods }, (_, period) => {
    const end = Math.max(0, minutes.length - period * length);
    const value = valueFor(watched, compared, minutes.slice(Math.max(0, end - length), end));
    return value !== undefined && value >= alarm.Threshold;
  });
  return breaches.filter(Boolean).length >= alarm.DatapointsToAlarm;
};

/** Whether an alarm of a template goes off at any time during these minutes. */
export const goesOff = (alarm: Json, minutes: Minute[]): boolean =>
  minutes.some((_minute, index) => isOnAfter(alarm, minutes.slice(0, index + 1)));
