// A local run ends when whoever has started it has ended, by whichever signal.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import manifest from '../../../package.json' with { type: 'json' };
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

/** Prints its id, and ends a minute later, or when a local run would. */
const program = `
  import { once } from 'node:events';
  import { interruption } from ${JSON.stringify(join(project, 'ops/start/interruption.ts'))};
  once(interruption(process), 'abort').then(() => process.exit());
  setTimeout(() => {}, 60_000);
  console.log('process ' + process.pid + '.');`;

/** A package with the script of this one, whose program is the one above. */
const directory = mkdtempSync(join(tmpdir(), 'petstore-starter-'));
atEnd(() => rmSync(directory, { recursive: true, force: true }));
mkdirSync(join(directory, 'ops'));
const { start } = manifest.scripts;
writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts: { start } }));
writeFileSync(join(directory, 'ops/main.mjs'), program);
writeFileSync(
  join(directory, 'ops/petstore.cjs'),
  `const { runOnNode24 } = require(${JSON.stringify(join(project, 'node-24.cjs'))});
   runOnNode24(${JSON.stringify(join(directory, 'ops/main.mjs'))}, []);`,
);

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

/** Starts the program. Returns its starter, and its id once it runs. */
const startBy = async (command: string, NODE_OPTIONS = ''): Promise<[ChildProcess, number]> => {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const [name = '', ...args] = command.split(' ');
  const starter = spawn(name, args, {
    cwd: directory,
    env: { ...process.env, PATH, NODE_OPTIONS },
    detached: true,
  });
  let output = '';
  starter.stdout.on('data', (chunk) => (output += chunk));
  const [, id] = await until('the program', () => /process (\d+)\./.exec(output));
  atEnd(() => isRunning(Number(id)) && process.kill(Number(id), 'SIGKILL'));
  return [starter, Number(id)];
};

const ownNode = '';
test.each([
  { starter: 'npm start', signal: 'SIGTERM', options: ownNode },
  { starter: 'npm start', signal: 'SIGHUP', options: ownNode },
  { starter: 'npm start', signal: 'SIGKILL', options: ownNode },
  { starter: 'npm start', signal: 'SIGTERM', options: inChild },
  { starter: 'npm start', signal: 'SIGKILL', options: inChild },
  { starter: 'node --run start', signal: 'SIGTERM', options: ownNode },
  { starter: 'node --run start', signal: 'SIGKILL', options: ownNode },
] as const)('a $signal to $starter alone ends it, with the options "$options"', async (row) => {
  const [starter, id] = await startBy(row.starter, row.options);
  starter.kill(row.signal);
  await until('the end of the program', () => !isRunning(id));
});

test('it goes on while its starter does', async () => {
  const [starter, id] = await startBy('npm start');
  // Two looks at the parent, of which the program takes one each second.
  const deadline = Date.now() + 2_500;
  await until('two looks', () => Date.now() > deadline);
  expect(isRunning(id)).toBe(true);
  starter.kill('SIGKILL');
  await once(starter, 'exit');
});
