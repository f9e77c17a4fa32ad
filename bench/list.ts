/**
 * npm run bench:list: the CPU time and memory that a list takes, compared with the least that any
 * handler could take and with the usual handler. Each runs in a process of its own, as in the local
 * run, against a synthetic table.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { listCandidates } from './list-candidates.ts';
import { median } from './measure.ts';
import { type Measurement, measureList } from './measure-list.ts';

const requestsOf = new Map([
  [1_000, 200],
  [100_000, 5],
  [1_000_000, 2],
]);
const rounds = 3;

const endpoint = fork(join(import.meta.dirname, 'scan-endpoint.ts'));
const [endpointUrl] = await once(endpoint, 'message');
const candidates = await listCandidates();

const row = (entries: number, name: string, runs: Measurement[], floor: Measurement[]): string => {
  const of = (property: keyof Measurement, measurements = runs) =>
    median(measurements.map((run) => Number(run[property])));
  const outcome = runs[0]?.failure ?? Math.round(of('entriesPerSecond') / 1000);
  const cells = [
    entries.toLocaleString('en'),
    name,
    outcome,
    of('cpuPerEntry').toFixed(2),
    (of('cpuPerEntry') / of('cpuPerEntry', floor)).toFixed(2),
    of('peakMemory').toFixed(0),
    runs[0]?.failure ? '' : of('firstByte').toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
};

console.log(
  '| entries | handler | thousand entries/s | CPU µs/entry | × floor | peak MiB | first byte ms |',
);
console.log('|--:|---|--:|--:|--:|--:|--:|');
for (const [entries, requests] of requestsOf) {
  const runs = new Map<string, Measurement[]>();
  for (let round = 0; round < rounds; round++) {
    for (const candidate of candidates) {
      const measurement = await measureList(candidate, endpointUrl, entries, requests);
      runs.set(candidate.name, [...(runs.get(candidate.name) ?? []), measurement]);
    }
  }
  for (const [name, measurements] of runs) {
    console.log(row(entries, name, measurements, runs.get('floor') ?? []));
  }
}
endpoint.kill();
