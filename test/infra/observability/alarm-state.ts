import type { Json } from '../../support/stack/template.ts';

/**
 * What happens in one minute: values by metric and dimensions, such as `AWS/Lambda Errors
 * FunctionName=<Authorizer>`. A value that is no sum is named with its statistic, such as
 * `AWS/Lambda Duration p99 FunctionName=<Authorizer>`.
 */
export type Minute = Record<string, number>;

interface Options {
  /**
   * Whether FILL makes values of a metric that has never had a point. AWS does not promise it, so
   * whoever relies on it must say so.
   */
  fillsUnused?: boolean | undefined;
}

/** Returns what an alarm watches: metrics, and expressions of these or of other expressions. */
const watchedBy = ({ Metrics, Period, Statistic, ExtendedStatistic, ...Metric }: Json): Json[] =>
  Metrics ?? [{ Id: 'm', MetricStat: { Metric, Period, Stat: Statistic ?? ExtendedStatistic } }];

/** Returns the one period of all that an alarm watches, in minutes. */
const periodOf = (watched: Json[]): number => {
  const periods = watched.flatMap(({ MetricStat, Period }) => MetricStat?.Period ?? Period ?? []);
  const [period, ...others] = [...new Set<number>(periods)];
  if (period === undefined || others.length > 0) {
    throw new Error(`An alarm has one period, not ${periods}.`);
  }
  return period / 60;
};

const nameOf = ({ Metric, Stat }: Json): string => {
  const { Namespace, MetricName, Dimensions = [] } = Metric;
  const statistic = Stat === 'Sum' ? [] : [Stat];
  const dimensions = Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`);
  return [Namespace, MetricName, ...statistic, ...dimensions].join(' ');
};

/** Returns the value of a metric over some minutes; undefined without data. */
const aggregate = (stat: Json, minutes: Minute[]): number | undefined => {
  const values = minutes.flatMap((minute) => minute[nameOf(stat)] ?? []);
  if (values.length === 0) {
    return undefined;
  }
  return stat.Stat === 'Sum' ? values.reduce((sum, value) => sum + value) : Math.max(...values);
};

/** Minutes of which one period is looked at, and all of them until then. */
interface Window {
  minutes: Minute[];
  before: Minute[];
}

const namesIn = (expression: string): string[] => expression.match(/\b[a-z]\w*/g) ?? [];

/** Returns the value of something watched. Metric math has the operators of JavaScript. */
const valueFor = (
  watched: Json[],
  id: string,
  window: Window,
  options: Options,
): number | undefined => {
  const { Expression, MetricStat } = watched.find(({ Id }) => Id === id);
  if (MetricStat) {
    return aggregate(MetricStat, window.minutes);
  }
  const values = Object.fromEntries(
    namesIn(Expression).map((name) => [name, valueFor(watched, name, window, options)]),
  );
  const isUsed = (name: string): boolean => {
    const { MetricStat: stat } = watched.find(({ Id }) => Id === name);
    return options.fillsUnused || !stat || aggregate(stat, window.before) !== undefined;
  };
  // An expression of something without data has no data, unless FILL says what to take.
  const filled: string[] = Expression.match(/(?<=FILL\()\w+/g) ?? [];
  const needed = namesIn(Expression.replaceAll(/FILL\(\w+/g, ''));
  if (needed.some((name) => values[name] === undefined) || !filled.every(isUsed)) {
    return undefined;
  }
  const names = {
    IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
    FILL: (value: number | undefined, filler: number) => value ?? filler,
    ...values,
  };
  return new Function(...Object.keys(names), `return ${Expression}`)(...Object.values(names));
};

const comparisons: Record<string, (value: number, threshold: number) => boolean> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** Whether a period without data is beyond the threshold. Undefined if it says nothing. */
const missing: Record<string, boolean | undefined> = {
  breaching: true,
  notBreaching: false,
  ignore: undefined,
  missing: undefined,
};

/** Returns whether each of the last periods of an alarm is beyond its threshold, if that is known. */
const breachesOf = (alarm: Json, minutes: Minute[], options: Options): (boolean | undefined)[] => {
  const { ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData = 'missing' } = alarm;
  const compare = comparisons[ComparisonOperator];
  if (compare === undefined || !(TreatMissingData in missing)) {
    throw new Error(`Not known here: ${ComparisonOperator}, ${TreatMissingData}.`);
  }
  const watched = watchedBy(alarm);
  const compared = watched.find(({ ReturnData = true }) => ReturnData).Id;
  const length = periodOf(watched);
  return Array.from({ length: EvaluationPeriods }, (_, period) => {
    const end = Math.max(0, minutes.length - period * length);
    const start = end - length;
    // What was before the first minute is not known. It could only have added to a value.
    if (start < 0 && (ComparisonOperator.startsWith('Less') || TreatMissingData === 'breaching')) {
      return undefined;
    }
    const window = { minutes: minutes.slice(Math.max(0, start), end), before: minutes };
    const value = valueFor(watched, compared, window, options);
    return value === undefined ? missing[TreatMissingData] : compare(value, Threshold);
  });
};

/** Returns for how long an alarm looks back, as its description says it. */
export const lookingBack = (alarm: Json): string => {
  const { EvaluationPeriods: periods, DatapointsToAlarm: points = periods } = alarm;
  const minutes = periodOf(watchedBy(alarm));
  if (looksAtDays(alarm)) {
    return `last ${(minutes * periods) / 60} hours`;
  }
  return periods === 1 ? `in ${minutes} minutes` : `in ${points} of ${periods} minutes`;
};

/** Whether an alarm looks at more than a day. CloudWatch then looks once an hour. */
export const looksAtDays = (alarm: Json): boolean =>
  periodOf(watchedBy(alarm)) * alarm.EvaluationPeriods > 24 * 60;

/** Whether an alarm of a template goes off at any time during these minutes. */
export const goesOff = (alarm: Json, minutes: Minute[], options: Options = {}): boolean => {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods } = alarm;
  const interval = looksAtDays(alarm) ? 60 : 1;
  return minutes.some((_minute, index) => {
    if ((index + 1) % interval !== 0) {
      return false;
    }
    const breaches = breachesOf(alarm, minutes.slice(0, index + 1), options);
    return breaches.filter(Boolean).length >= DatapointsToAlarm;
  });
};
