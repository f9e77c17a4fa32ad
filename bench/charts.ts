/**
 * npm run charts: draws the charts of docs/performance.md from bench/results/.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ListRow } from './list-rows.ts';
import { readResults } from './results.ts';

interface Bar {
  label: string;
  value: number;
  unit: string;
  /** Whether it is the service, and not what the service is compared with. */
  isService: boolean;
}

const width = 900;
const labelWidth = 330;
const textWidth = 150;
const rowHeight = 30;
const barHeight = 18;
const titleHeight = 44;

/** Returns an SVG with horizontal bars, the longest as wide as there is room. */
const barChart = (title: string, bars: Bar[]): string => {
  const height = titleHeight + bars.length * rowHeight + 10;
  const longest = Math.max(...bars.map(({ value }) => value));
  const rows = bars.flatMap(({ label, value, unit, isService }, index) => {
    const top = titleHeight + index * rowHeight;
    const middle = top + barHeight / 2;
    const length = Math.round((value / longest) * (width - labelWidth - textWidth));
    const fill = isService ? '#0969da' : '#9aa4b2';
    const text = `y="${middle}" dominant-baseline="central"`;
    return [
      `<text x="${labelWidth - 10}" text-anchor="end" ${text}>${label}</text>`,
      `<rect x="${labelWidth}" y="${top}" width="${length}" height="${barHeight}" fill="${fill}"/>`,
      `<text x="${labelWidth + length + 8}" ${text}>${value} ${unit}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="10" y="24" font-size="16" font-weight="bold">${title}</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
};

const coldStarts = readResults<{ id: string; name: string; coldCpuMs: number }>('cold-starts.json');
const longLists = readResults<ListRow>('lists.json').filter(
  ({ table, entries }) => table === 'usual' && entries === 1_000_000,
);

/** The charts by their file in docs/charts/. */
export const charts = {
  'cold-starts.svg': barChart(
    'CPU time of a cold start (less is better)',
    coldStarts.map(({ id, name, coldCpuMs }) => ({
      label: name,
      value: Math.round(coldCpuMs),
      unit: 'ms',
      isService: ['update', 'authorizer'].includes(id),
    })),
  ),
  'list-cpu.svg': barChart(
    'CPU time of a list of a million entries, per entry (less is better)',
    longLists.map(({ handler, cpuMicrosecondsPerEntry }) => ({
      label: handler,
      value: cpuMicrosecondsPerEntry,
      unit: 'µs',
      isService: handler.startsWith('list'),
    })),
  ),
  'list-memory.svg': barChart(
    'Largest memory of a list of a million entries (less is better)',
    longLists.map(({ handler, peakMebibytes }) => ({
      label: handler,
      value: peakMebibytes,
      unit: 'MiB',
      isService: handler.startsWith('list'),
    })),
  ),
};

if (import.meta.main) {
  for (const [file, chart] of Object.entries(charts)) {
    writeFileSync(join(import.meta.dirname, '../docs/charts', file), chart);
  }
}
