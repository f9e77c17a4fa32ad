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

/** What an alarm watches, by id: metrics, and expressions of these or of other expressions. */
interface WatchedByAlarm {
  metrics: Record<string, Watched>;
  expressions: Record<string, string>;
  /** The id of the one whose value is compared with the threshold. */
  compared: string;
}

const watchedBy = (alarm: Json): WatchedByAlarm => {
  if (alarm.Metrics === undefined) {
    const statistic = alarm.Statistic ?? alarm.ExtendedStatistic;
    const value = { name: nameOf(alarm, statistic), statistic, seconds: alarm.Period };
    return { metrics: { value }, expressions: {}, compared: 'value' };
  }
  const watched: WatchedByAlarm = { metrics: {}, expressions: {}, compared: '' };
  for (const { Id, Expression, MetricStat, ReturnData = true } of alarm.Metrics) {
    if (Expression === undefined) {
      const { Metric, Stat, Period } = MetricStat;
      watched.metrics[Id] = { name: nameOf(Metric, Stat), statistic: Stat, seconds: Period };
    } else {
      watched.expressions[Id] = Expression;
    }
    if (ReturnData) {
      watched.compared = Id;
    }
  }
  return watched;
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

/**
 * Computes what an alarm compares in one period. The operators of metric math are those of
 * JavaScript.
 */
const valueIn = (
  minutes: Minute[],
  watched: WatchedByAlarm,
  id = watched.compared,
): number | undefined => {
  const { metrics, expressions } = watched;
  const metric = metrics[id];
  if (metric) {
    return aggregate(metric, minutes);
  }
  const expression = String(expressions[id]);
  const namesIn = (text: string): string[] => text.match(/\b[a-z]\w*/g) ?? [];
  const values = Object.fromEntries(
    namesIn(expression).map((name) => [name, valueIn(minutes, watched, name)]),
  );
  // An expression of something without data has no data, unless FILL says what to take.
  const unfilled = namesIn(expression.replaceAll(/FILL\(\w+/g, ''));
  if (unfilled.some((name) => values[name] === undefined)) {
    return undefined;
  }
  const names = { ...functions, ...values };
  return new Function(...Object.keys(names), `return ${expression}`)(...Object.values(names));
};

/** Whether an alarm of a template would be on at the end of these minutes. */
const isOnAfter = (alarm: Json, minutes: Minute[]): boolean => {
  const watched = watchedBy(alarm);
  const length = Number(Object.values(watched.metrics)[0]?.seconds) / 60;
  let breaches = 0;
  for (let period = 0; period < alarm.EvaluationPeriods; period += 1) {
    const end = minutes.length - period * length;
    const ofPeriod = minutes.slice(Math.max(0, end - length), Math.max(0, end));
    const value = valueIn(ofPeriod, watched);
    breaches += Number(value !== undefined && value >= alarm.Threshold);
  }
  return breaches >= alarm.DatapointsToAlarm;
};

/** Whether an alarm of a template goes off at any time during these minutes. */
export const goesOff = (alarm: Json, minutes: Minute[]): boolean =>
  minutes.some((_minute, index) => isOnAfter(alarm, minutes.slice(0, index + 1)));
