/**
 * npm run bench:import: the time and memory that an import and an export take, by number of
 * entries. Each file is generated, imported into a local run and exported again. The export must
 * equal the import, and no command may take more memory than the bar.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { petStatuses } from '../functions/inventory/item.ts';

const sizes = [10_000, 100_000, 1_000_000];

/** The most memory that a command may take, in MiB, for any of these sizes. */
const memoryBar = 400;

const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
const petstore = join(import.meta.dirname, '../ops/petstore.cjs');
const env = { ...process.env, TMPDIR: directory };

/** Yields a CSV file of entries, ordered by petId as an export is. Every petId is beyond 2^53. */
function* csv(entries: number): Generator<string> {
  yield 'petId,quantity,status\n';
  for (let i = 0; i < entries; i++) {
    const petId = 9_007_199_254_740_993n + BigInt(i) * 7_919n;
    yield `${petId},${i % 1_000},${petStatuses[i % petStatuses.length]}\n`;
  }
}

const startService = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [petstore, 'start', '--port', '0'], { env });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (/^curl /m.test(output)) {
      return child;
    }
  }
  throw new Error('The local run ended before it served.');
};

/** A module that makes a process print its peak memory in KiB as the last line of its output. */
const tellPeak =
  'data:text/javascript,import{writeSync}from"node:fs";' +
  'process.on("exit",()=>writeSync(1,"\\n"+process.resourceUsage().maxRSS))';

interface Cost {
  seconds: number;
  /** The peak memory. */
  mebibytes: number;
}

const costOf = async (...options: string[]): Promise<Cost> => {
  const started = performance.now();
  const words = ['--import', tellPeak, petstore, 'inventory', ...options];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) {
    throw new Error(`inventory ${options.join(' ')} ended with ${code}.`);
  }
  const seconds = (performance.now() - started) / 1000;
  return { seconds, mebibytes: Number(output.split('\n').at(-1)) / 1024 };
};

/** Returns the lines of a CSV file that `csv` generates: a local run has its sample, too. */
const generatedLines = async (file: string): Promise<string> => {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.filter((line) => /^9\d{15},/.test(line)).join('\n');
};

const measure = async (entries: number): Promise<{ imported: Cost; exported: Cost }> => {
  const [input, out] = [join(directory, 'in.csv'), join(directory, 'out.csv')];
  await pipeline(Readable.from(csv(entries)), createWriteStream(input));
  const service = await startService();
  try {
    const imported = await costOf('import', input, '--on-conflict', 'replace', '--local');
    const exported = await costOf('export', '--out', out, '--local');
    if ((await generatedLines(input)) !== (await generatedLines(out))) {
      throw new Error('The export is not what was imported.');
    }
    return { imported, exported };
  } finally {
    service.kill();
    await once(service, 'exit');
    await Promise.all([rm(input, { force: true }), rm(out, { force: true })]);
  }
};

const cell = (value: number): string => Math.round(value).toLocaleString('en');

try {
  console.log('| entries | import s | peak MiB | export s | peak MiB |\n|--:|--:|--:|--:|--:|');
  for (const entries of sizes) {
    const { imported, exported } = await measure(entries);
    const costs = [imported, exported];
    const figures = costs.flatMap(({ seconds, mebibytes }) => [seconds, mebibytes]);
    console.log(`| ${[entries, ...figures].map(cell).join(' | ')} |`);
    if (costs.some(({ mebibytes }) => mebibytes > memoryBar)) {
      console.error(`With ${cell(entries)} entries, a command takes more than ${memoryBar} MiB.`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(directory, { recursive: true });
}
