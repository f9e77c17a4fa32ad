import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { synthesize } from '../infra/assembly/synthesize.ts';
import { type Candidate, type Engine, rowsOf } from './candidates.ts';
import { checkAnswer, checkPolicy } from './check-response.ts';
import { type Measurement, measure, type Requests } from './measure.ts';
import { summarize, table } from './report-table.ts';
import { barsOf } from './thresholds.ts';

const stageName = 'staging';
/** Many short processes for the cold start, whose noise is large next to what is looked for; fewer long ones. */
const cold = { rounds: 41, warmUp: 0, measured: 0 };
const warm = { rounds: 11, warmUp: 300, measured: 700 };

const startEngine = async (assemblyDirectory: string): Promise<[Engine, ChildProcess]> => {
  const child = fork(join(import.meta.dirname, 'engine.ts'), [assemblyDirectory, stageName]);
  const [engine] = await once(child, 'message');
  return [engine, child];
};

/** Measures every row once a round, one process at a time, so that a drift of the machine meets all of them. */
const measureAll = async (
  rows: Candidate[],
  { rounds, ...requests }: Requests & { rounds: number },
): Promise<Map<Candidate, Measurement[]>> => {
  const measurements = new Map<Candidate, Measurement[]>(rows.map((row) => [row, []]));
  for (let round = 1; round <= rounds; round++) {
    // Each in turn comes first: what ran before a row must not count against it.
    for (const row of [...rows.slice(round % rows.length), ...rows.slice(0, round % rows.length)]) {
      process.stderr.write(`\rround ${round} of ${rounds}, ${requests.measured} requests: ${row.name.padEnd(60)}`);
      measurements.get(row)?.push(await measure(row, requests));
    }
  }
  process.stderr.write('\n\n');
  return measurements;
};

const directory = await synthesize(stageName);
const [engine, engineProcess] = await startEngine(directory);
try {
  const { update, authorizer, peers, libraries } = await rowsOf(readStack(directory, stageName), engine, directory);
  const patchRows = [update, ...Object.values(peers), ...libraries];

  for (const row of patchRows) {
    checkAnswer(row.name, (await measure(row, cold)).answer);
  }
  checkPolicy((await measure(authorizer, cold)).answer);

  const rows = [authorizer, ...patchRows];
  const coldMeasurements = await measureAll(rows, cold);
  const warmMeasurements = await measureAll(rows, warm);
  const summary = (row: Candidate) => summarize(row, coldMeasurements.get(row) ?? [], warmMeasurements.get(row) ?? []);

  console.log(
    `Medians: cold over ${cold.rounds} processes a row, warm over ${warm.rounds} of ${warm.measured} requests.`,
  );
  console.log(`Node ${process.version}, ${process.arch}.\n`);
  console.log(table('PATCH handler', summary(update), [update, ...Object.values(peers)].map(summary)));
  console.log(table('authorizer, and what a library adds', summary(update), [authorizer, ...libraries].map(summary)));
  const bars = barsOf(summary(update), summary(authorizer), {
    cdkDefault: summary(peers.cdkDefault),
    esm: summary(peers.esm),
    express: summary(peers.express),
    floor: summary(peers.floor),
  });
  for (const { what, ratio, limit, met } of bars) {
    console.log(`${met ? 'met   ' : 'MISSED'}  ${ratio.toFixed(2)} of at most ${limit.toFixed(2)}: ${what}`);
  }
  process.exitCode = bars.every(({ met }) => met) ? 0 : 1;
} finally {
  engineProcess.disconnect();
}
