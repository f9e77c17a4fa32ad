import type { ListRow } from './list-rows.ts';
import { type Bar, bar } from './results.ts';

/** The most CPU that a list may take, in times that of parse and print. */
interface CpuLimit {
  table: ListRow['table'];
  entries: number;
  handler: string;
  timesParseAndPrint: number;
}

const cpuLimits: CpuLimit[] = (['usual', 'long-ids'] as const).flatMap((table) =>
  [100_000, 1_000_000].flatMap((entries) => [
    { table, entries, handler: 'list', timesParseAndPrint: 0.75 },
    { table, entries, handler: 'list, gzip', timesParseAndPrint: 0.85 },
  ]),
);

/** What a list took when it parsed every page. A table with odd entries may take no more. */
const parsedLimits: CpuLimit[] = [
  { entries: 1_000, handler: 'list', timesParseAndPrint: 1.14 },
  { entries: 1_000, handler: 'list, gzip', timesParseAndPrint: 1.38 },
  { entries: 100_000, handler: 'list', timesParseAndPrint: 1.03 },
  { entries: 100_000, handler: 'list, gzip', timesParseAndPrint: 1.19 },
  { entries: 1_000_000, handler: 'list', timesParseAndPrint: 1.17 },
  { entries: 1_000_000, handler: 'list, gzip', timesParseAndPrint: 1.29 },
].map((limit) => ({ ...limit, table: 'odd-entries' }));

/** The most memory that a list may take, in MiB, however long it is. */
const memoryLimit = 256;

/** The memory, in MiB, that a million entries took when the list parsed every page. */
const parsedMemoryLimit = 310;

const describe = ({ table, entries, handler }: Omit<CpuLimit, 'timesParseAndPrint'>): string =>
  `${handler}, ${entries.toLocaleString('en')} entries (${table})`;

/** Returns the bars that lists must meet. */
export const listBars = (rows: ListRow[]): Bar[] => {
  const cpuBars = [...cpuLimits, ...parsedLimits].map((limit) => {
    const row = rows.find((each) => describe(each) === describe(limit));
    const what = `CPU of parse and print: ${describe(limit)}`;
    return bar(what, row?.timesParseAndPrint ?? Number.NaN, limit.timesParseAndPrint);
  });
  const memoryBars = rows
    .filter(({ handler }) => handler.startsWith('list'))
    .map((row) => {
      const limit = row.table === 'odd-entries' ? parsedMemoryLimit : memoryLimit;
      return bar(`MiB at the peak: ${describe(row)}`, row.peakMebibytes, limit);
    });
  return [...cpuBars, ...memoryBars];
};
