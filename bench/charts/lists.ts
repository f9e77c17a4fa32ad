import type { ListRow } from '../list-rows.ts';
import { readResults } from '../results.ts';
import { barChart } from './bar-chart.ts';
import { markdownTable } from './markdown-table.ts';

/** Shorter lists than these say little: most of their time goes to the request. */
const shortest = 100_000;

const tabled = readResults<ListRow>('lists.json').filter(
  ({ table, entries }) => table === 'usual' && entries >= shortest,
);

/** The rows of the longest list, which the charts compare. */
const rows = tabled.filter(({ entries }) => entries === 1_000_000);
if (rows.length === 0) {
  throw new Error('bench/results/lists.json has no list of a million usual entries.');
}

const isService = ({ handler }: ListRow): boolean => handler.startsWith('list');
const ofAMillion = 'of a list of a million entries';

export const listCpuChart = barChart({
  title: `CPU time ${ofAMillion}, in microseconds per entry (less is better)`,
  bars: rows.map((row) => ({
    label: row.handler,
    value: row.cpuMicrosecondsPerEntry,
    text: `${row.cpuMicrosecondsPerEntry.toFixed(2)} µs`,
    isService: isService(row),
  })),
});

export const listMemoryChart = barChart({
  title: `Largest memory ${ofAMillion}, in MiB (less is better)`,
  bars: rows.map((row) => ({
    label: row.handler,
    value: row.peakMebibytes,
    text: `${row.peakMebibytes} MiB`,
    isService: isService(row),
  })),
});

/** A handler whose list no client would get has no speed; the reason stands in its place. */
const speed = ({ entriesPerSecond, failure }: ListRow): string =>
  failure ?? Math.round(entriesPerSecond / 1_000).toLocaleString('en');

const firstByte = ({ firstByteMilliseconds, failure }: ListRow): string =>
  failure === undefined ? firstByteMilliseconds.toFixed(1) : '';

export const listTable = markdownTable<ListRow>(
  [
    { head: 'Entries', cell: ({ entries }) => entries.toLocaleString('en') },
    { head: 'Handler', isText: true, cell: ({ handler }) => handler },
    { head: 'Thousand entries a second', cell: speed },
    {
      head: 'CPU per entry, µs',
      cell: ({ cpuMicrosecondsPerEntry }) => cpuMicrosecondsPerEntry.toFixed(2),
    },
    {
      head: 'CPU, times parse and print',
      cell: ({ timesParseAndPrint }) => timesParseAndPrint.toFixed(2),
    },
    { head: 'Largest memory, MiB', cell: ({ peakMebibytes }) => String(peakMebibytes) },
    { head: 'First byte, ms', cell: firstByte },
  ],
  tabled,
);
