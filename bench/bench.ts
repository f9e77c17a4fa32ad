import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { synthesize } from '../infra/assembly/synthesize.ts';
import { type Candidate, candidatesOf, type Engine } from './candidates.ts';
import { checkPolicy, checkResponse } from './events.ts';
import { type Measurement, measure, type Requests } from './measure.ts';
import { resultRow, type Summary, summarize, table } from './report-table.ts';
import { type Bar, bar, reportBars, showProgress, writeResults } from './results.ts';

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

/** What `npm run bench` measures, each summarized. */
interface Summaries {
  update: Summary;
  authorizer: Summary;
  cdkDefault: Summary;
  esm: Summary;
  express: Summary;
  floor: Summary;
}

/** Returns the service's bars: limits of ratios of CPU time within one run. */
const thresholdsOf = (summaries: Summaries): Bar[] => {
  const { update, authorizer, cdkDefault, esm, express, floor } = summaries;
  const cold = (baseline: Summary, limit: number) => {
    const ratio = update.coldCpuMs / baseline.coldCpuMs;
    return bar(`cold start, relative to ${baseline.name}`, ratio, limit);
  };
  const warm = (baseline: Summary, limit: number) => {
    const ratio = update.warmCpuMs / baseline.warmCpuMs;
    return bar(`warm PATCH, relative to ${baseline.name}`, ratio, limit);
  };
  const ofAuthorizer = authorizer.coldCpuMs / update.coldCpuMs;
  return [
    cold(esm, 0.85),
    cold(cdkDefault, 0.75),
    cold(express, 0.62),
    cold(floor, 1.55),
    warm(esm, 1),
    warm(cdkDefault, 1),
    warm(express, 0.8),
    bar('cold start of the authorizer, relative to PATCH', ofAuthorizer, 1),
  ];
};

const directory = await synthesize(stageName);
const [engine, engineProcess] = await startEngine(directory);
try {
  const { update, authorizer, baselines } = await candidatesOf(
    readStack(directory, stageName),
    engine,
    directory,
  );
  const subjects = { update, ...baselines, authorizer };

  for (const candidate of [update, ...Object.values(baselines)]) {
    checkResponse(candidate.name, (await measure(candidate, cold)).response);
  }
  checkPolicy((await measure(authorizer, cold)).response);

  const coldMeasurements = await measureAll(Object.values(subjects), cold);
  const warmMeasurements = await measureAll(Object.values(subjects), warm);
  const summary = (candidate: Candidate) =>
    summarize(
      candidate,
      coldMeasurements.get(candidate) ?? [],
      warmMeasurements.get(candidate) ?? [],
    );
  const summaries = {
    update: summary(update),
    stockSdk: summary(baselines.stockSdk),
    cdkDefault: summary(baselines.cdkDefault),
    esm: summary(baselines.esm),
    express: summary(baselines.express),
    hono: summary(baselines.hono),
    powertools: summary(baselines.powertools),
    floor: summary(baselines.floor),
    authorizer: summary(authorizer),
  };

  console.log(
    `Cold: lower quartile of ${cold.rounds} processes each. ` +
      `Warm: median of ${warm.rounds} with ${warm.measured} requests.`,
  );
  console.log(`Node ${process.version}, ${process.arch}.\n`);
  console.log(table('PATCH handler', summaries.update, Object.values(summaries)));

  const bars = thresholdsOf(summaries);
  const rows = Object.entries(summaries).map(([id, each]) =>
    resultRow({ id, summary: each, service: summaries.update }),
  );
  const method = {
    cold: { processes: cold.rounds, figures: 'lower quartile' },
    warm: { processes: warm.rounds, requests: warm.measured, figures: 'median' },
  };
  writeResults('cold-starts.json', { command: 'npm run bench', method, rows, bars });
  reportBars(bars);
} finally {
  engineProcess.disconnect();
}
