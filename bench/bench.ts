import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesize } from '../local/synthesize.ts';
import { readStack } from '../local/synthesized-stack.ts';
import { checkAnswer, checkPolicy } from './answers.ts';
import { type Measurement, measure } from './measure.ts';
import { type Engine, type Row, rowsOf } from './rows.ts';
import { barsOf, summarize, table } from './table.ts';

const stageName = 'staging';
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '11' } } });

const startEngine = async (assemblyDirectory: string): Promise<[Engine, ChildProcess]> => {
  const child = fork(join(import.meta.dirname, 'engine.ts'), [assemblyDirectory, stageName]);
  const [engine] = await once(child, 'message');
  return [engine, child];
};

/** Measures every row once a round, one process at a time, so that a drift of the machine meets all of them. */
const measureAll = async (rows: Row[], rounds: number): Promise<Map<Row, Measurement[]>> => {
  const measurements = new Map<Row, Measurement[]>(rows.map((row) => [row, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      process.stderr.write(`\rround ${round} of ${rounds}: ${row.name.padEnd(60)}`);
      measurements.get(row)?.push(await measure(row));
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
    checkAnswer(row.name, (await measure(row)).answer);
  }
  checkPolicy((await measure(authorizer)).answer);

  const measurements = await measureAll([...patchRows, authorizer], Number(options.rounds));
  const summary = (row: Row) => summarize(row, measurements.get(row) ?? []);

  console.log(`Medians over ${options.rounds} processes a row, Node ${process.version}, ${process.arch}.\n`);
  console.log(table('PATCH handler', summary(update), [update, ...Object.values(peers)].map(summary)));
  console.log(table('authorizer, and what a library adds', summary(update), [authorizer, ...libraries].map(summary)));
  const bars = barsOf(summary(update), summary(authorizer), {
    cdkDefault: summary(peers.cdkDefault),
    esm: summary(peers.esm),
    express: summary(peers.express),
    floor: summary(peers.floor),
  });
  for (const { what, ratio, limit } of bars) {
    console.log(`${ratio <= limit ? 'met   ' : 'MISSED'}  ${ratio.toFixed(2)} of at most ${limit.toFixed(2)}: ${what}`);
  }
  process.exitCode = bars.every(({ ratio, limit }) => ratio <= limit) ? 0 : 1;
} finally {
  engineProcess.disconnect();
}
