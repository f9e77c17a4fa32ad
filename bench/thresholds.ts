import type { Summary } from './report-table.ts';
import { type Bar, bar } from './results.ts';

/** What `npm run bench` measures, each summarized. */
export interface Summaries {
  update: Summary;
  authorizer: Summary;
  cdkDefault: Summary;
  esm: Summary;
  express: Summary;
  floor: Summary;
}

/** Returns the service's bars: limits of ratios of CPU time within one run. */
export const thresholdsOf = (summaries: Summaries): Bar[] => {
  const { update, authorizer, cdkDefault, esm, express, floor } = summaries;
  const cold = (baseline: Summary, limit: number) => {
    const ratio = update.coldCpuMs / baseline.coldCpuMs;
    return bar(`cold start, relative to ${baseline.name}`, ratio, limit);
  };
  const warm = (baseline: Summary, limit: number) => {
    const ratio = update.warmCpuMs / baseline.warmCpuMs;
    return bar(`warm PATCH, relative to ${baseline.name}`, ratio, limit);
  };
  const ofAuthorizer = authorizer.coldCpuMs / update.coldCpuMs;
  return [
    cold(esm, 0.85),
    cold(cdkDefault, 0.75),
    cold(express, 0.62),
    cold(floor, 1.55),
    warm(esm, 1),
    warm(cdkDefault, 1),
    warm(express, 0.8),
    bar('cold start of the authorizer, relative to PATCH', ofAuthorizer, 1),
  ];
};
