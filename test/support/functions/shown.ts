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
 * Returns a log line without what every one has, and what of it CloudWatch counts, for whom. Traces of
 * the stack and what differs from run to run are not shown.
 */
export const shownLine = ({ timestamp, durationMs, _aws, ...fields }: LogLine): string[] => {
  expect([timestamp, durationMs]).toStrictEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    expect.any(Number),
  ]);
  const { Stage, FunctionName, FunctionVersion, ...others } = fields;
  const directives = _aws?.CloudWatchMetrics ?? [];
  const counted = directives.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
  const shown = Object.entries(directives.length > 0 ? others : fields).filter(
    ([name, value]) => usual[name] !== value && !counted.includes(name),
  );
  const json = JSON.stringify(Object.fromEntries(shown), (name, value) =>
    name === 'stack' && value.includes('\n    at ') ? 'STACK' : value,
  );
  const valuesOf = (names: string[]) => names.map((name) => `${name}=${fields[name]}`).join();
  const counts = directives.map(({ Namespace, Dimensions, Metrics }) => {
    const units = new Set(Metrics.map(({ Unit }) => Unit));
    const names = valuesOf(Metrics.map(({ Name }) => Name));
    return `~ ${Namespace} ${Dimensions.map(valuesOf).join(' or ')}: ${[...units]} ${names}`;
  });
  return [`~ ${json}`, ...counts];
};

/** A line as the functions log it. */
export interface LogLine extends Record<string, unknown> {
  _aws?: { CloudWatchMetrics: Directive[] };
}
