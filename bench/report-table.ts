import { statSync } from 'node:fs';
import type { Candidate } from './candidates.ts';
import { type Measurement, median, quantile } from './measure.ts';

/** Of a candidate's processes: medians, and for cold starts the lower quartiles, since other load on the machine only adds. */
export interface Summary {
  name: string;
  coldCpuMs: number;
  coldWallMs: number;
  peakMb: number;
  warmCpuMs: number;
  p50Ms: number;
  p99Ms: number;
  bundleKb: number;
}

export const summarize = ({ name, bundle }: Candidate, coldStarts: Measurement[], warm: Measurement[]): Summary => {
  const medianOf = (measurements: Measurement[], value: (measurement: Measurement) => number) =>
    median(measurements.map(value));
  const lowerQuartileOf = (value: (measurement: Measurement) => number) => quantile(coldStarts.map(value), 0.25);
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

/** A Markdown table of candidates; the ratios are those of the base to each of them. */
export const table = (title: string, base: Summary, candidates: Summary[]): string => {
  const header = [
    title,
    'cold CPU ms',
    'wall ms',
    'peak MB',
    'warm CPU ms',
    'p50 ms',
    'p99 ms',
    'bundle kB',
    'cold ratio',
    'warm ratio',
  ];
  const lines = candidates.map((candidate) => [
    candidate.name,
    candidate.coldCpuMs.toFixed(1),
    candidate.coldWallMs.toFixed(1),
    candidate.peakMb.toFixed(0),
    candidate.warmCpuMs.toFixed(2),
    candidate.p50Ms.toFixed(2),
    candidate.p99Ms.toFixed(2),
    candidate.bundleKb.toFixed(0),
    (base.coldCpuMs / candidate.coldCpuMs).toFixed(2),
    (base.warmCpuMs / candidate.warmCpuMs).toFixed(2),
  ]);
  const rule = header.map((_, i) => (i === 0 ? '---' : '---:'));
  return [header, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
};
