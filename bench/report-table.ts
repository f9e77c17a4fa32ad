import { statSync } from 'node:fs';
import type { Candidate } from './candidates.ts';
import { type Measurement, median, quantile } from './measure.ts';
import { round } from './results.ts';

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

interface ResultProps {
  id: string;
  summary: Summary;
  /** The summary that the ratios are of. */
  service: Summary;
}

/** Returns a summary as a row of bench/results/cold-starts.json. */
export const resultRow = ({ id, summary, service }: ResultProps) => ({
  id,
  name: summary.name,
  coldCpuMs: round(summary.coldCpuMs, 1),
  coldWallMs: round(summary.coldWallMs, 1),
  peakMb: round(summary.peakMb, 0),
  warmCpuMs: round(summary.warmCpuMs, 2),
  p50Ms: round(summary.p50Ms, 2),
  p99Ms: round(summary.p99Ms, 2),
  bundleKb: round(summary.bundleKb, 0),
  serviceToThisCold: round(service.coldCpuMs / summary.coldCpuMs, 2),
  serviceToThisWarm: round(service.warmCpuMs / summary.warmCpuMs, 2),
});

const columns: Record<string, (row: Summary, base: Summary) => string> = {
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
  const rows = candidates.map((candidate) => [
    candidate.name,
    ...Object.values(columns).map((cell) => cell(candidate, base)),
  ]);
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
};
