import { embeddedMetrics } from './embedded-metrics.ts';
import type { Counts } from './metrics.ts';

/**
 * Writes one line of JSON to the log, with `counts` as metrics of the stage, and those that
 * `ofVersion` names as metrics of the function's version, too. The fields must hold nothing secret.
 * console.log would wrap the line in another object, but CloudWatch finds metrics only at the top
 * level.
 */
export const logLine = (
  level: 'INFO' | 'ERROR',
  fields: object,
  counts: Counts = {},
  ofVersion: (keyof Counts)[] = [],
): void => {
  const metrics = embeddedMetrics(counts, ofVersion);
  const line = { timestamp: new Date().toISOString(), level, ...fields, ...metrics };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
