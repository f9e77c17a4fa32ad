/**
 * npm run bench:list: the CPU time and memory that a list takes, plain and compressed, next to the
 * least that a handler can do that parses every page, and to a handler on the SDK. Each runs in a
 * process of its own, in AWS's runtime client with Lambda's heap, against a synthetic table.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, writeBundle } from '../infra/lambda/bundling.ts';
import { bundleBaseline } from './bundle-baseline.ts';
import { type ListHandler, type ListMeasurement, measureList } from './measure-list.ts';
import { median, report, round, showProgress } from './report.ts';
import { usualTable } from './synthetic-table.ts';

const rounds = 5;

/** How many lists of a table are measured in each round, by its number of entries. */
const listsOf = new Map([
  [1_000, 200],
  [100_000, 5],
  [1_000_000, 2],
]);

const method =
  `Medians of ${rounds} rounds, after one list that is checked and not counted. ` +
  'A ratio is the CPU time divided by that of parse and print in the same round.';

const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
process.once('exit', () => rmSync(directory, { recursive: true }));
writeBundle(directory, bundled('list-inventory'));
for (const baseline of ['parse-and-print', 'sdk-pages']) {
  bundleBaseline(baseline, directory);
}
const handlerOf = (
  name: string,
  file: string,
  acceptEncoding: ListHandler['acceptEncoding'] = 'identity',
): ListHandler => ({ name, taskRoot: directory, handler: `${file}.handler`, acceptEncoding });

const parseAndPrint = handlerOf('parse and print', 'parse-and-print');
const services = [
  handlerOf('this service', 'index'),
  handlerOf('this service, gzip', 'index', 'gzip'),
];
const handlers = [...services, parseAndPrint, handlerOf('SDK, lib-dynamodb', 'sdk-pages')];

const scanEndpoint = fork(join(import.meta.dirname, 'scan-endpoint.ts'));
const [endpoint] = await once(scanEndpoint, 'message');

/** Measures every handler once per round, so that drift of the machine affects all equally. */
const measureAll = async (entries: number, lists: number) => {
  const measurements = new Map(
    handlers.map((handler): [ListHandler, ListMeasurement[]] => [handler, []]),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const [handler, ofHandler] of measurements) {
      showProgress(`${entries} entries, round ${round} of ${rounds}: ${handler.name}`);
      const table = usualTable(entries);
      ofHandler.push(await measureList({ handler, endpoint, table, lists }));
    }
  }
  showProgress('');
  return measurements;
};

const rows = [];
for (const [entries, lists] of listsOf) {
  const measured = await measureAll(entries, lists);
  for (const [handler, measurements] of measured) {
    const medianOf = (value: (measurement: ListMeasurement, round: number) => number): number =>
      median(measurements.map(value));
    const ratio = medianOf(
      ({ cpuPerEntry }, index) =>
        cpuPerEntry / (measured.get(parseAndPrint)?.[index]?.cpuPerEntry ?? Number.NaN),
    );
    rows.push({
      entries,
      handler: handler.name,
      'CPU ratio': round(ratio, 2),
      'CPU µs/entry': round(
        medianOf(({ cpuPerEntry }) => cpuPerEntry),
        2,
      ),
      'peak MiB': round(
        medianOf(({ peakMemory }) => peakMemory),
        0,
      ),
    });
  }
}
scanEndpoint.kill();

report('lists', {
  command: 'npm run bench:list',
  method,
  rows,
});
