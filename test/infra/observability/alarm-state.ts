import type { Json } from '../../support/stack/template.ts';
import { watchedBy } from './metric-text.ts';

/**
 * What happens in one minute: values by metric and dimensions, such as `AWS/Lambda Errors
 * FunctionName=<Authorizer>`.
 */
export type Minute = Record<string, number>;

/** Returns a period's value of a metric that `metricText` describes; undefined without data. */
const aggregate = (metric: string, minutes: Minute[]): number | undefined => {
  const [, name = '', statistic] = /^(.+), (\w+) of \d+ s$/.exec(metric) ?? [];
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

/** The minutes of one period of an alarm. */
export const periodMinutes = (alarm: Json): number => {
  const [metric = ''] = Object.values(watchedBy(alarm).metrics);
  return Number(/ of (\d+) s$/.exec(metric)?.[1]) / 60;
};

/** Whether an alarm of a template would be on at the end of these minutes. */
const isOnAfter = (alarm: Json, minutes: Minute[]): boolean => {
  const { expression, metrics } = watchedBy(alarm);
  const length = periodMinutes(alarm);
  let breaches = 0;
  for (let period = 0; period < alarm.EvaluationPeriods; period += 1) {
    const end = minutes.length - period * length;
    const ofPeriod = minutes.slice(Math.max(0, end - length), Math.max(0, end));
    const entries = Object.entries(metrics).map(([id, metric]) => [
      id,
      aggregate(metric, ofPeriod),
    ]);
    const value = compute(expression, Object.fromEntries(entries));
    breaches += Number(value !== undefined && value >= alarm.Threshold);
  }
  return breaches >= alarm.DatapointsToAlarm;
};

/** Whether an alarm of a template goes off at any time during these minutes. */
export const goesOff = (alarm: Json, minutes: Minute[]): boolean =>
  minutes.some((_minute, index) => isOnAfter(alarm, minutes.slice(0, index + 1)));
