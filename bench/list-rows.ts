import { median } from './measure.ts';
import type { ListMeasurement } from './measure-list.ts';
import { round } from './results.ts';
import type { SyntheticTable, TableShape } from './synthetic-table.ts';

/** The medians of a handler's measurements with one table, as in bench/results/lists.json. */
export interface ListRow {
  table: TableShape;
  entries: number;
  handler: string;
  entriesPerSecond: number;
  cpuMicrosecondsPerEntry: number;
  timesParseAndPrint: number;
  peakMebibytes: number;
  firstByteMilliseconds: number;
  /** The reason why no client would get the list, if so. */
  failure?: string;
}

interface RowProps {
  table: SyntheticTable;
  handler: string;
  measurements: ListMeasurement[];
  /** The measurements of parse and print with the same table and heap. */
  parseAndPrint: ListMeasurement[];
}

const cpuOf = (measurements: ListMeasurement[]): number =>
  median(measurements.map(({ cpuPerEntry }) => cpuPerEntry));

export const listRow = (props: RowProps): ListRow => {
  const { table, handler, measurements, parseAndPrint } = props;
  const failure = measurements[0]?.failure;
  const cpu = cpuOf(measurements);
  return {
    table: table.shape,
    entries: table.entries,
    handler,
    entriesPerSecond: round(median(measurements.map((each) => each.entriesPerSecond)), 0),
    cpuMicrosecondsPerEntry: round(cpu, 2),
    timesParseAndPrint: round(cpu / cpuOf(parseAndPrint), 2),
    peakMebibytes: round(median(measurements.map(({ peakMemory }) => peakMemory)), 0),
    firstByteMilliseconds: round(median(measurements.map(({ firstByte }) => firstByte)), 1),
    failure,
  };
};

const heads = [
  'table',
  'entries',
  'handler',
  'thousand entries/s',
  'CPU µs/entry',
  '× parse and print',
  'peak MiB',
  'first byte ms',
];

/** Returns the first lines of a Markdown table of rows. */
export const listHead = (): string => {
  const rules = heads.map((head) => (['table', 'handler'].includes(head) ? '---' : '--:'));
  return `| ${heads.join(' | ')} |\n|${rules.join('|')}|`;
};

export const listLine = (row: ListRow): string => {
  const cells = [
    row.table,
    row.entries.toLocaleString('en'),
    row.handler,
    row.failure ?? Math.round(row.entriesPerSecond / 1000),
    row.cpuMicrosecondsPerEntry.toFixed(2),
    row.timesParseAndPrint.toFixed(2),
    row.peakMebibytes,
    row.failure === undefined ? row.firstByteMilliseconds.toFixed(1) : '',
  ];
  return `| ${cells.join(' | ')} |`;
};
