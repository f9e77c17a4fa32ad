import { statSync } from 'node:fs';
import { type Measurement, median, quantile } from './measure.ts';
import type { Row } from './rows.ts';

/** The medians of a row. */
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

export const summarize = ({ name, bundle }: Row, measurements: Measurement[]): Summary => {
  const medianOf = (value: (measurement: Measurement) => number) => median(measurements.map(value));
  return {
    name,
    coldCpuMs: medianOf(({ cold }) => cold.cpuMs),
    coldWallMs: medianOf(({ cold }) => cold.wallMs),
    peakMb: medianOf(({ cold }) => cold.peakMb),
    warmCpuMs: medianOf(({ warmCpuMs }) => warmCpuMs),
    p50Ms: medianOf(({ latenciesMs }) => quantile(latenciesMs, 0.5)),
    p99Ms: medianOf(({ latenciesMs }) => quantile(latenciesMs, 0.99)),
    bundleKb: statSync(bundle).size / 1000,
  };
};

/** A Markdown table of rows; the ratios are those of the base to each row. */
export const table = (title: string, base: Summary, rows: Summary[]): string => {
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
  const lines = rows.map((row) => [
    row.name,
    row.coldCpuMs.toFixed(1),
    row.coldWallMs.toFixed(1),
    row.peakMb.toFixed(0),
    row.warmCpuMs.toFixed(2),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.bundleKb.toFixed(0),
    (base.coldCpuMs / row.coldCpuMs).toFixed(2),
    (base.warmCpuMs / row.warmCpuMs).toFixed(2),
  ]);
  const rule = header.map((_, i) => (i === 0 ? '---' : '---:'));
  return [header, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
};

/** What the service holds itself to, as ratios of CPU within one run. */
export const barsOf = (
  update: Summary,
  authorizer: Summary,
  { cdkDefault, esm, express, floor }: Record<'cdkDefault' | 'esm' | 'express' | 'floor', Summary>,
): { what: string; ratio: number; limit: number }[] => [
  ...(
    [
      [esm, 0.85],
      [cdkDefault, 0.75],
      [express, 0.62],
      [floor, 1.4],
    ] as const
  ).map(([peer, limit]) => ({
    what: `cold start, to ${peer.name}`,
    ratio: update.coldCpuMs / peer.coldCpuMs,
    limit,
  })),
  ...(
    [
      [esm, 1],
      [cdkDefault, 1],
      [express, 0.8],
    ] as const
  ).map(([peer, limit]) => ({
    what: `warm PATCH, to ${peer.name}`,
    ratio: update.warmCpuMs / peer.warmCpuMs,
    limit,
  })),
  { what: 'cold start of the authorizer, to that of PATCH', ratio: authorizer.coldCpuMs / update.coldCpuMs, limit: 1 },
];
