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

/** Computes the expressions that our alarms have. Throws at any other. */
const compute = (
  expression: string,
  { value, events, failures, requests }: Record<string, number | undefined>,
): number | undefined => {
  if (expression === 'value') {
    return value;
  }
  if (expression === 'FILL(events, 0)') {
    return events ?? 0;
  }
  const share = /^100 \* failures \/ IF\(requests > (\d+), requests, \1\)$/.exec(expression);
  if (share === null) {
    throw new Error(`Unknown expression: ${expression}`);
  }
  if (failures === undefined || requests === undefined) {
    return undefined;
  }
  return (100 * failures) / Math.max(requests, Number(share[1]));
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
