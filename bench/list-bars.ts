import type { ListRow } from './list-rows.ts';
import { type Bar, bar } from './results.ts';

/** The most CPU that a list may take, in times that of parse and print. */
interface CpuLimit {
  plain: number;
  gzip: number;
}

/** A list whose pages are rewritten as text. */
const rewritten: CpuLimit = { plain: 0.75, gzip: 0.85 };

/** A list with an odd entry on each page, so that every page is parsed. */
const parsed: CpuLimit = { plain: 1.17, gzip: 1.29 };

/** A list of 1,000 entries takes some 2 ms. What every request costs is most of it. */
const short: CpuLimit = { plain: 1.14, gzip: 1.38 };

const cpuLimitOf = ({ table, entries, handler }: ListRow): number => {
  const ofTable = table === 'odd-entries' ? parsed : rewritten;
  const { plain, gzip } = entries === 1_000 ? short : ofTable;
  return handler.startsWith('list, gzip') ? gzip : plain;
};

/** The most memory that a list may take, in MiB, however long it is: rewritten, and parsed. */
const memoryLimits = { rewritten: 256, parsed: 310 };

/** Returns the bars that each list of the service must meet. */
export const listBars = (rows: ListRow[]): Bar[] => {
  const lists = rows.filter(({ handler }) => handler.startsWith('list'));
  const describe = ({ table, entries, handler }: ListRow): string =>
    `${handler}, ${entries.toLocaleString('en')} entries (${table})`;
  return [
    ...lists.map((row) => {
      const what = `CPU of parse and print: ${describe(row)}`;
      return bar(what, row.timesParseAndPrint, cpuLimitOf(row));
    }),
    ...lists.map((row) => {
      const limit = row.table === 'odd-entries' ? memoryLimits.parsed : memoryLimits.rewritten;
      return bar(`MiB at the peak: ${describe(row)}`, row.peakMebibytes, limit);
    }),
  ];
};
