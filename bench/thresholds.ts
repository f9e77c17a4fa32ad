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
  // As precise as it is printed; the machine's noise is larger.
  met: Number(ratio.toFixed(2)) <= limit,
});

/** What the service holds itself to: ratios of CPU within one run. */
export const thresholdsOf = (
  update: Summary,
  authorizer: Summary,
  baselines: Record<'cdkDefault' | 'esm' | 'express' | 'floor', Summary>,
): Threshold[] => {
  const cold = (baseline: Summary, limit: number) =>
    threshold(`cold start, to ${baseline.name}`, update.coldCpuMs / baseline.coldCpuMs, limit);
  const warm = (baseline: Summary, limit: number) =>
    threshold(`warm PATCH, to ${baseline.name}`, update.warmCpuMs / baseline.warmCpuMs, limit);
  return [
    cold(baselines.esm, 0.85),
    cold(baselines.cdkDefault, 0.75),
    cold(baselines.express, 0.62),
    cold(baselines.floor, 1.4),
    warm(baselines.esm, 1),
    warm(baselines.cdkDefault, 1),
    warm(baselines.express, 0.8),
    threshold('cold start of the authorizer, to that of PATCH', authorizer.coldCpuMs / update.coldCpuMs, 1),
  ];
};
