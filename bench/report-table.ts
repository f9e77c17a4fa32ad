import { statSync } from 'node:fs';
import type { Candidate } from './candidates.ts';
import { type Measurement, median, quantile } from './measure.ts';

export type Summary = ReturnType<typeof summarize>;

/**
 * Summarizes a candidate: medians, but lower quartiles of cold start times, because other load only
 * adds to those.
 */
export const summarize = (
  { name, bundle }: Candidate,
  coldStarts: Measurement[],
  warm: Measurement[],
) => {
  const medianOf = (measurements: Measurement[], value: (measurement: Measurement) => number) =>
    median(measurements.map(value));
  const lowerQuartileOf = (value: (measurement: Measurement) => number) =>
    quantile(coldStarts.map(value), 0.25);
  return {
    name,
    coldCpuMs: lowerQuartileOf(({ cold }) => cold.cpuMs),
    coldWallMs: lowerQuartileOf(({ cold }) => cold.wallMs),
    peakMb: medianOf(coldStarts, ({ cold }) => cold.peakMb),
    warmCpuMs: medianOf(warm, ({ warmCpuMs }) => warmCpuMs),
    p50Ms: medianOf(warm, ({ latenciesMs }) => quantile(latenciesMs, 0.5)),
    p99Ms: medianOf(warm, ({ latenciesMs }) => quantile(latenciesMs, 0.99)),
    bundleKb: statSync(bundle).size / 1000,
  };
};

const columns: Record<string, (of: Summary, base: Summary) => string> = {
  'cold CPU ms': ({ coldCpuMs }) => coldCpuMs.toFixed(1),
  'wall ms': ({ coldWallMs }) => coldWallMs.toFixed(1),
  'peak MB': ({ peakMb }) => peakMb.toFixed(0),
  'warm CPU ms': ({ warmCpuMs }) => warmCpuMs.toFixed(2),
  'p50 ms': ({ p50Ms }) => p50Ms.toFixed(2),
  'p99 ms': ({ p99Ms }) => p99Ms.toFixed(2),
  'bundle kB': ({ bundleKb }) => bundleKb.toFixed(0),
  'cold ratio': ({ coldCpuMs }, base) => (base.coldCpuMs / coldCpuMs).toFixed(2),
  'warm ratio': ({ warmCpuMs }, base) => (base.warmCpuMs / warmCpuMs).toFixed(2),
};

/**
 * Returns a Markdown table of candidates. A ratio is the base's CPU time divided by the
 * candidate's.
 */
export const table = (title: string, base: Summary, candidates: Summary[]): string => {
  const head = [title, ...Object.keys(columns)];
  const rule = head.map((_, i) => (i === 0 ? '---' : '---:'));
  const rows = candidates.map((of) => [
    of.name,
    ...Object.values(columns).map((cell) => cell(of, base)),
  ]);
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
};
