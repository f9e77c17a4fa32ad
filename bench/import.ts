/**
 * npm run bench:import: the time and memory that an import and an export take, by number of
 * entries. Each file is generated, imported into a local run and exported again. The export must
 * equal the import.
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

const sizes = [10_000, 100_000, 1_000_000];

const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
const program = (...parts: string[]): string => join(import.meta.dirname, '..', ...parts);
const env = { ...process.env, TMPDIR: directory };

/** Yields a CSV file of entries, ordered by petId as an export is. Every petId is beyond 2^53. */
function* csv(entries: number): Generator<string> {
  yield 'petId,quantity,status\n';
  for (let i = 0; i < entries; i++) {
    yield `${9_007_199_254_740_993n + BigInt(i) * 7_919n},${i % 1_000},${['available', 'pending', 'sold'][i % 3]}\n`;
  }
}

const startService = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [program('ops/petstore.cjs'), 'start', '--port', '0'], {
    env,
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (/^curl /m.test(output)) {
      break;
    }
  }
  return child;
};

/** A module that makes a process print its peak memory in KiB as the last line of its output. */
const tellPeak =
  'data:text/javascript,import{writeSync}from"node:fs";' +
  'process.on("exit",()=>writeSync(1,"\\n"+process.resourceUsage().maxRSS))';

const peakOf = async (...options: string[]): Promise<{ mebibytes: number; seconds: number }> => {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', tellPeak, program('ops/petstore.cjs'), 'inventory', ...options],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) {
    throw new Error(`inventory ${options.join(' ')} ended with ${code}.`);
  }
  const mebibytes = Number(output.split('\n').at(-1)) / 1024;
  return { mebibytes, seconds: (performance.now() - started) / 1000 };
};

const cell = (value: number): string => Math.round(value).toLocaleString('en');

const rows: string[] = [];
try {
  for (const entries of sizes) {
    const input = join(directory, `${entries}.csv`);
    const out = join(directory, 'out.csv');
    await pipeline(Readable.from(csv(entries)), createWriteStream(input));
    const service = await startService();
    const imported = await peakOf('import', input, '--on-conflict', 'replace', '--local');
    const exported = await peakOf('export', '--out', out, '--local');
    service.kill();
    await once(service, 'exit');
    const generated = (lines: string) =>
      lines
        .split('\n')
        .filter((line) => /^9\d{15},/.test(line))
        .join('\n');
    if (generated(await readFile(input, 'utf8')) !== generated(await readFile(out, 'utf8'))) {
      throw new Error('The export is not what was imported.');
    }
    await rm(input);
    const figures = [
      entries,
      imported.seconds,
      imported.mebibytes,
      exported.seconds,
      exported.mebibytes,
    ].map(cell);
    rows.push(`| ${figures.join(' | ')} |`);
  }
} finally {
  rmSync(directory, { recursive: true });
}
console.log('| entries | import s | peak MiB | export s | peak MiB |\n|--:|--:|--:|--:|--:|');
console.log(rows.join('\n'));
