import { expect } from '@jest/globals';

/** What every line of a request with an event of `eventOf` has. */
const usual: Record<string, unknown> = {
  level: 'INFO',
  requestId: 'request-1',
  extendedRequestId: 'extended-1',
};

interface Directive {
  Namespace: string;
  Dimensions: string[][];
  Metrics: { Name: string; Unit: string }[];
}

/**
 * Returns a log line without what every one has, and what of it CloudWatch counts. Traces of the stack
 * and what differs from run to run are not shown.
 */
export const shownLine = ({ timestamp, durationMs, _aws, ...fields }: LogLine): string[] => {
  expect([timestamp, durationMs]).toStrictEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    expect.any(Number),
  ]);
  const unusual = Object.entries(fields).filter(([name, value]) => usual[name] !== value);
  const json = JSON.stringify(Object.fromEntries(unusual), (name, value) =>
    name === 'stack' && value.includes('\n    at ') ? 'STACK' : value,
  );
  const counted = _aws?.CloudWatchMetrics.map(({ Namespace, Dimensions, Metrics }) => {
    const names = Metrics.map(({ Name, Unit }) => `${Name} (${Unit})`);
    return `~ ${Namespace} by ${Dimensions.join(' or ')}: ${names}`;
  });
  return [`~ ${json}`, ...(counted ?? [])];
};

/** A line as the functions log it. */
export interface LogLine extends Record<string, unknown> {
  _aws?: { CloudWatchMetrics: Directive[] };
}
