// What npm has started as the script `start` ends with npm, whichever signal ends that.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import manifest from '../../../package.json' with { type: 'json' };
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

/** Prints its id, and ends a minute later, or with npm. */
const program = `
  import { whenNpmEnds } from ${JSON.stringify(join(project, 'ops/start/npm-process.ts'))};
  whenNpmEnds(process.env, () => process.exit());
  setTimeout(() => {}, 60_000);
  console.log('process ' + process.pid + '.');`;
const launcher = `
  const { runOnNode24 } = require(${JSON.stringify(join(project, 'node-24.cjs'))});
  runOnNode24(${JSON.stringify('MAIN')}, []);`;

/** A package with the scripts of this one, whose program is the one above. */
const directory = mkdtempSync(join(tmpdir(), 'petstore-npm-'));
mkdirSync(join(directory, 'ops'));
const { start } = manifest.scripts;
const scripts = { start, background: `${start} &`, other: start };
writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts }));
writeFileSync(join(directory, 'ops/main.mjs'), program);
const main = join(directory, 'ops/main.mjs');
writeFileSync(join(directory, 'ops/petstore.cjs'), launcher.replace('MAIN', main));

/** Makes the launcher run the program in a child, as an older Node does. */
const inChild = `--import=data:text/javascript,${encodeURIComponent(
  'Object.defineProperty(process.versions, "node", { value: "20.20.2" });',
)}`;

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

/** Runs a script of the package by npm. Returns npm, and the id of the program once it runs. */
const runScript = async (name: string, NODE_OPTIONS = ''): Promise<[ChildProcess, number]> => {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const npm = spawn('npm', ['run', name], {
    cwd: directory,
    env: { ...process.env, PATH, NODE_OPTIONS },
    detached: true,
  });
  let output = '';
  npm.stdout.on('data', (chunk) => (output += chunk));
  const [, id] = await until('the program', () => /process (\d+)\./.exec(output));
  atEnd(() => isRunning(Number(id)) && process.kill(Number(id), 'SIGKILL'));
  return [npm, Number(id)];
};

test.each([
  { signal: 'SIGTERM', options: '' },
  { signal: 'SIGHUP', options: '' },
  { signal: 'SIGKILL', options: '' },
  { signal: 'SIGTERM', options: inChild },
  { signal: 'SIGKILL', options: inChild },
] as const)('a $signal to npm alone ends it, with the options "$options"', async (row) => {
  const [npm, id] = await runScript('start', row.options);
  npm.kill(row.signal);
  await until('the end of the program', () => !isRunning(id));
});

test.each(['background', 'other'])('what the script "%s" has started goes on', async (name) => {
  const [npm, id] = await runScript(name);
  const exited = npm.exitCode === null && npm.signalCode === null ? once(npm, 'exit') : undefined;
  npm.kill('SIGKILL');
  await exited;
  // Two looks at the processes, of which the program takes one each second.
  const deadline = Date.now() + 2_500;
  await until('two looks', () => Date.now() > deadline);
  expect(isRunning(id)).toBe(true);
});
