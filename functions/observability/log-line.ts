import { embeddedMetrics } from './embedded-metrics.ts';
import type { Counts } from './metrics.ts';

/**
 * Writes one line of JSON to the log, with `counts` as metrics. The fields must hold nothing secret.
 * console.log would wrap the line in another object, but CloudWatch finds metrics only at the top
 * level.
 */
export const logLine = (level: 'INFO' | 'ERROR', fields: object, counts: Counts = {}): void => {
  const line = {
    timestamp: new Date().toISOString(),
    level,
    ...fields,
    ...embeddedMetrics(counts),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
