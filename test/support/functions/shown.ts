import { expect } from '@jest/globals';
import { everyLine, everyRequest } from './capture-log.ts';

/** Whether every line has a field, with this value. */
const isUsual = ([name, value]: [name: string, value: unknown]): boolean =>
  Object.entries(everyRequest).some(([usual, expected]) =>
    expect.objectContaining({ [usual]: expected }).asymmetricMatch({ [name]: value }),
  );

interface Directive {
  Namespace: string;
  Dimensions: string[][];
  Metrics: { Name: string; Unit: string }[];
}

/**
 * Returns a log line without what every one has, and what of it CloudWatch counts, for whom. Traces of
 * the stack and what differs from run to run are not shown.
 */
export const shownLine = ({ _aws, ...fields }: LogLine): string[] => {
  const { level } = fields;
  expect(fields).toMatchObject({ ...everyLine, level, durationMs: expect.any(Number) });
  const { Stage, FunctionName, FunctionVersion, ...others } = fields;
  const directives = _aws?.CloudWatchMetrics ?? [];
  const counted = directives.flatMap(({ Metrics }) => Metrics.map(({ Name }) => Name));
  const shown = Object.entries(directives.length > 0 ? others : fields).filter(
    (field) => !isUsual(field) && !counted.includes(field[0]),
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
interface LogLine extends Record<string, unknown> {
  _aws?: { CloudWatchMetrics: Directive[] };
}
