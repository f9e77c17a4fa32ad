import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { synthesize } from '../infra/assembly/synthesize.ts';
import { type Candidate, candidatesOf, type Engine } from './candidates.ts';
import { checkPolicy, checkResponse } from './check-response.ts';
import { type Measurement, measure, type Requests } from './measure.ts';
import { showProgress } from './progress.ts';
import { summarize, table } from './report-table.ts';
import { thresholdsOf } from './thresholds.ts';

const stageName = 'staging';
/**
 * Cold starts need many rounds, because their noise is large compared with the differences to be
 * found.
 */
const cold = { rounds: 41, warmUp: 0, measured: 0 };
const warm = { rounds: 11, warmUp: 300, measured: 700 };

const startEngine = async (assemblyDirectory: string): Promise<[Engine, ChildProcess]> => {
  const child = fork(join(import.meta.dirname, 'engine.ts'), [assemblyDirectory, stageName]);
  const [engine] = await once(child, 'message');
  return [engine, child];
};

/**
 * Measures every candidate once per round, one process at a time, so that drift of the machine
 * affects all equally.
 */
const measureAll = async (
  candidates: Candidate[],
  { rounds, ...requests }: Requests & { rounds: number },
): Promise<Map<Candidate, Measurement[]>> => {
  const measurements = new Map<Candidate, Measurement[]>(
    candidates.map((candidate) => [candidate, []]),
  );
  for (let round = 1; round <= rounds; round++) {
    // The candidates take turns at coming first, so that none has the same place in every round.
    const first = round % candidates.length;
    for (const candidate of [...candidates.slice(first), ...candidates.slice(0, first)]) {
      showProgress(`round ${round} of ${rounds}, ${requests.measured} requests: ${candidate.name}`);
      measurements.get(candidate)?.push(await measure(candidate, requests));
    }
  }
  showProgress('');
  return measurements;
};

const directory = await synthesize(stageName);
const [engine, engineProcess] = await startEngine(directory);
try {
  const { update, authorizer, baselines } = await candidatesOf(
    readStack(directory, stageName),
    engine,
    directory,
  );
  const updates = [update, ...Object.values(baselines)];

  for (const candidate of updates) {
    checkResponse(candidate.name, (await measure(candidate, cold)).response);
  }
  checkPolicy((await measure(authorizer, cold)).response);

  const candidates = [authorizer, ...updates];
  const coldMeasurements = await measureAll(candidates, cold);
  const warmMeasurements = await measureAll(candidates, warm);
  const summary = (candidate: Candidate) =>
    summarize(
      candidate,
      coldMeasurements.get(candidate) ?? [],
      warmMeasurements.get(candidate) ?? [],
    );

  console.log(
    `Cold: lower quartile of ${cold.rounds} processes each. Warm: median of ${warm.rounds} with ${warm.measured} requests.`,
  );
  console.log(`Node ${process.version}, ${process.arch}.\n`);
  console.log(table('PATCH handler', summary(update), [...updates, authorizer].map(summary)));
  const thresholds = thresholdsOf(summary(update), summary(authorizer), {
    cdkDefault: summary(baselines.cdkDefault),
    esm: summary(baselines.esm),
    express: summary(baselines.express),
    floor: summary(baselines.floor),
  });
  for (const { what, ratio, limit, met } of thresholds) {
    console.log(
      `${met ? 'met   ' : 'MISSED'}  ${ratio.toFixed(2)} of at most ${limit.toFixed(2)}: ${what}`,
    );
  }
  process.exitCode = thresholds.every(({ met }) => met) ? 0 : 1;
} finally {
  engineProcess.disconnect();
}
