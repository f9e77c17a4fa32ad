import type { Json } from '../../support/stack/template.ts';

/**
 * What happens in one period of an alarm: values by statistic, metric and dimensions, such as
 * `Sum of AWS/Lambda Errors FunctionName=<Authorizer>`. What is not named has no data.
 */
export type Period = Record<string, number>;

/** Returns what an alarm watches: metrics, and expressions of these or of other expressions. */
const watchedBy = ({ Metrics, Period, Statistic, ExtendedStatistic, ...Metric }: Json): Json[] =>
  Metrics ?? [{ Id: 'm', MetricStat: { Metric, Period, Stat: Statistic ?? ExtendedStatistic } }];

/** Returns the one period of all that an alarm watches, in minutes. */
export const minutesOf = (alarm: Json): number => {
  const periods = new Set(watchedBy(alarm).flatMap(({ MetricStat }) => MetricStat?.Period ?? []));
  if (periods.size !== 1) {
    throw new Error(`An alarm has one period, not ${[...periods]}.`);
  }
  return [...periods][0] / 60;
};

const nameOf = ({ Metric: { Namespace, MetricName, Dimensions = [] }, Stat }: Json): string =>
  [
    `${Stat} of ${Namespace} ${MetricName}`,
    ...Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`),
  ].join(' ');

const IF = (condition: boolean, yes: number, no: number) => (condition ? yes : no);

/** Returns the value of something watched, if it has data. Its operators are JavaScript's. */
const valueFor = (watched: Json[], id: string, period: Period): number | undefined => {
  const { Expression, MetricStat } = watched.find(({ Id }) => Id === id);
  if (MetricStat) {
    return period[nameOf(MetricStat)];
  }
  const read = (name: string) => valueFor(watched, name, period);
  const filled = Expression.replaceAll(
    /FILL\((\w+), (\d+)\)/g,
    (_: string, name: string, filler: string) => read(name) ?? filler,
  );
  const values = filled.replaceAll(/\b[a-z]\w*/g, read);
  return values.includes('undefined') ? undefined : new Function('IF', `return ${values}`)(IF);
};

const comparisons: Record<string, (value: number, threshold: number) => boolean> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** What a period without data says: that it is not beyond the threshold, or nothing. */
const missing: Record<string, false | undefined> = { notBreaching: false, ignore: undefined };

/** Whether a period is beyond an alarm's threshold, if it says so. */
const breaches = (alarm: Json, period: Period): boolean | undefined => {
  const { ComparisonOperator, Threshold, TreatMissingData } = alarm;
  const compare = comparisons[ComparisonOperator];
  if (compare === undefined || !(TreatMissingData in missing)) {
    throw new Error(`Not known here: ${ComparisonOperator}, ${TreatMissingData}.`);
  }
  const watched = watchedBy(alarm);
  const value = valueFor(watched, watched.find(({ ReturnData = true }) => ReturnData).Id, period);
  return value === undefined ? missing[TreatMissingData] : compare(value, Threshold);
};

/** Returns whether an alarm rings after each of these periods. */
export const ringsAfter = (alarm: Json, periods: Period[]): boolean[] => {
  const { DatapointsToAlarm, EvaluationPeriods } = alarm;
  const known = periods.map((period) => breaches(alarm, period));
  const states: boolean[] = [];
  for (const [index, breach] of known.entries()) {
    const last = known.slice(0, index + 1).slice(-EvaluationPeriods);
    const rings = last.filter(Boolean).length >= DatapointsToAlarm;
    // Of a period that says nothing, the state stays.
    states.push(breach === undefined ? (states.at(-1) ?? false) : rings);
  }
  return states;
};
