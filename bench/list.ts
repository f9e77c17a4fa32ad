/**
 * npm run bench:list: the CPU time and memory that a list takes, compared with a handler that does
 * nothing but parse and print, and with the usual handler. Each runs in a process of its own, as in
 * the local run, against a synthetic table. Writes bench/results/lists.json, and fails if a list
 * misses a bar.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { listBars } from './list-bars.ts';
import { type ListCandidate, listCandidates } from './list-candidates.ts';
import { type ListRow, listHead, listLine, listRow } from './list-rows.ts';
import { type ListMeasurement, measureList } from './measure-list.ts';
import { reportBars, showProgress, writeResults } from './results.ts';
import type { SyntheticTable } from './synthetic-table.ts';

const rounds = 3;

/** How many lists of a table are measured in each round, by its number of entries. */
const listsOf = new Map([
  [1_000, 200],
  [100_000, 5],
  [1_000_000, 2],
]);

const endpoint = fork(join(import.meta.dirname, 'scan-endpoint.ts'));
const [endpointUrl] = await once(endpoint, 'message');
const { parseAndPrint, list, listGzip, ...others } = await listCandidates();
const { parseAndPrintOnLambda } = others;
const compared = [parseAndPrint, list, listGzip];

/** Returns the parse and print that runs with the same heap. */
const baseOf = ({ execArgv }: ListCandidate): ListCandidate =>
  execArgv === parseAndPrintOnLambda.execArgv ? parseAndPrintOnLambda : parseAndPrint;

/** Which handlers list which table. */
const cases: { shape: SyntheticTable['shape']; candidates: ListCandidate[] }[] = [
  { shape: 'usual', candidates: [...compared, ...Object.values(others)] },
  { shape: 'long-ids', candidates: compared },
  { shape: 'odd-entries', candidates: compared },
];

/** Measures every candidate once per round, so that drift of the machine affects all equally. */
const measureAll = async (
  table: SyntheticTable,
  candidates: ListCandidate[],
  lists: number,
): Promise<Map<ListCandidate, ListMeasurement[]>> => {
  const measurements = new Map<ListCandidate, ListMeasurement[]>(
    candidates.map((each) => [each, []]),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const candidate of candidates) {
      showProgress(`${table.shape}, ${table.entries} entries, round ${round}: ${candidate.name}`);
      const measurement = await measureList({ candidate, endpointUrl, table, lists });
      measurements.get(candidate)?.push(measurement);
    }
  }
  showProgress('');
  return measurements;
};

const rows: ListRow[] = [];
console.log(listHead());
for (const { shape, candidates } of cases) {
  for (const [entries, lists] of listsOf) {
    const table = { shape, entries };
    const measured = await measureAll(table, candidates, lists);
    for (const [candidate, measurements] of measured) {
      const base = measured.get(baseOf(candidate)) ?? [];
      const row = listRow({ table, handler: candidate.name, measurements, parseAndPrint: base });
      rows.push(row);
      console.log(listLine(row));
    }
  }
}
endpoint.kill();

const bars = listBars(rows);
const method = { rounds, listsPerRound: Object.fromEntries(listsOf), figures: 'medians of rounds' };
writeResults('lists.json', { command: 'npm run bench:list', method, rows, bars });
reportBars(bars);
