import { readResults } from '../results.ts';
import { barChart } from './bar-chart.ts';
import { markdownTable } from './markdown-table.ts';

/** What these need of a row of bench/results/cold-starts.json. */
interface ColdStartRow {
  id: string;
  name: string;
  coldCpuMs: number;
  warmCpuMs: number;
  bundleKb: number;
}

const rows = readResults<ColdStartRow>('cold-starts.json');
const service = rows.find(({ id }) => id === 'update');
if (!service) {
  throw new Error('bench/results/cold-starts.json has no row with the id "update".');
}

const times = (value: number, ofService: number): string => (value / ofService).toFixed(2);

export const coldStartChart = barChart({
  title: 'CPU time of a cold start, in milliseconds (less is better)',
  bars: rows.map(({ id, name, coldCpuMs }) => ({
    label: name,
    value: coldCpuMs,
    text: `${coldCpuMs.toFixed(0)} ms`,
    isService: id === 'update' || id === 'authorizer',
  })),
});

export const coldStartTable = markdownTable<ColdStartRow>(
  [
    { head: 'PATCH handler', isText: true, cell: ({ name }) => name },
    { head: 'Cold start: CPU, ms', cell: ({ coldCpuMs }) => coldCpuMs.toFixed(1) },
    { head: 'Times this service', cell: (row) => times(row.coldCpuMs, service.coldCpuMs) },
    { head: 'Warm request: CPU, ms', cell: ({ warmCpuMs }) => warmCpuMs.toFixed(2) },
    { head: 'Times this service', cell: (row) => times(row.warmCpuMs, service.warmCpuMs) },
    { head: 'Bundle, kB', cell: ({ bundleKb }) => bundleKb.toLocaleString('en') },
  ],
  rows,
);
