import type { Summary } from './report-table.ts';

export interface Threshold {
  what: string;
  ratio: number;
  limit: number;
  met: boolean;
}

const threshold = (what: string, ratio: number, limit: number): Threshold => ({
  what,
  ratio,
  limit,
  // Rounded as it is printed, because the machine's noise is larger than the rounding.
  met: Number(ratio.toFixed(2)) <= limit,
});

/** Returns the service's thresholds: limits of ratios of CPU time within one run. */
export const thresholdsOf = (
  update: Summary,
  authorizer: Summary,
  baselines: Record<'cdkDefault' | 'esm' | 'express' | 'floor', Summary>,
): Threshold[] => {
  const cold = (baseline: Summary, limit: number) =>
    threshold(
      `cold start, relative to ${baseline.name}`,
      update.coldCpuMs / baseline.coldCpuMs,
      limit,
    );
  const warm = (baseline: Summary, limit: number) =>
    threshold(
      `warm PATCH, relative to ${baseline.name}`,
      update.warmCpuMs / baseline.warmCpuMs,
      limit,
    );
  return [
    cold(baselines.esm, 0.85),
    cold(baselines.cdkDefault, 0.75),
    cold(baselines.express, 0.62),
    cold(baselines.floor, 1.55),
    warm(baselines.esm, 1),
    warm(baselines.cdkDefault, 1),
    warm(baselines.express, 0.8),
    threshold(
      'cold start of the authorizer, relative to PATCH',
      authorizer.coldCpuMs / update.coldCpuMs,
      1,
    ),
  ];
};
