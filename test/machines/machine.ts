import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { atEnd } from '../support/process/at-end.ts';
import { npmPrograms } from '../support/process/installs.ts';
import { onTerminal } from '../support/process/terminal.ts';
import { ended, outputOf, project } from '../support/process/tools.ts';
import { trackedFiles } from '../support/process/tracked-files.ts';

/** A machine as a new user has it: its Node, its npm, and the folder of the clone. */
interface Machine {
  node: number;
  npm: string;
  folder: string;
  /** What else the user has set for npm, as a line of an `.npmrc`. */
  setting?: string;
}

const machineDirectory = mkdtempSync(join(tmpdir(), 'petstore-machines-'));
atEnd(() => rmSync(machineDirectory, { recursive: true, force: true }));

/** Returns a directory with the `node`, `npm` and `npx` of a machine. */
const programsOf = async ({ node, npm, folder }: Machine): Promise<string> => {
  const packages = dirname(await npmPrograms('test/machines'));
  const directory = join(machineDirectory, `programs of ${folder}`);
  mkdirSync(directory);
  symlinkSync(join(packages, `node-${node}/bin/node`), join(directory, 'node'));
  for (const name of ['npm', 'npx']) {
    symlinkSync(join(packages, `npm-${npm}/bin/${name}-cli.js`), join(directory, name));
  }
  return directory;
};

/** Clones the project, with the changes that are not committed yet. */
const clone = async (folder: string): Promise<string> => {
  const directory = join(machineDirectory, folder);
  await outputOf('git', 'clone', '--quiet', project, directory);
  await outputOf('git', '-C', directory, 'rm', '--quiet', '-r', '.');
  for (const file of trackedFiles(/./)) {
    cpSync(join(project, file), join(directory, file));
  }
  return directory;
};

/** The variables that npm, the launcher, Jest and its global setup have added to a user's. */
const added = /^(npm_|TEST_|JEST_|AWS_|CDK_|GIT_|NODE_(OPTIONS|ENV|COMPILE_CACHE)$|INIT_CWD$)/;

/** The environment of a user's shell on this machine. */
const environmentWith = (
  programs: string,
  { folder, setting = '' }: Machine,
): NodeJS.ProcessEnv => {
  const ofUser = Object.entries(process.env).filter(([name]) => !added.test(name));
  const { PATH = '', ...others } = Object.fromEntries(ofUser);
  const ofSystem = PATH.split(delimiter).filter((path) => !path.includes('node_modules'));
  // Some users let npm fail where a package needs another Node.
  const userConfig = join(machineDirectory, `npmrc of ${folder}`);
  const ownConfig = join(homedir(), '.npmrc');
  const settings = existsSync(ownConfig) ? readFileSync(ownConfig, 'utf8') : '';
  writeFileSync(userConfig, `${settings}\nengine-strict=true\n${setting}\n`);
  // The status follows the body of each response, in the last line.
  writeFileSync(join(machineDirectory, '.curlrc'), 'silent\nwrite-out = "\\n%{http_code}"\n');
  return {
    ...others,
    PATH: [programs, ...ofSystem].join(delimiter),
    TERM: 'xterm',
    TMPDIR: machineDirectory,
    CURL_HOME: machineDirectory,
    NPM_CONFIG_USERCONFIG: userConfig,
  };
};

/** Kills a command that a failed test has left, with all that it has started. */
const killGroup = ({ pid, exitCode }: ChildProcess): void => {
  if (exitCode === null) {
    process.kill(-Number(pid), 'SIGKILL');
  }
};

/** Sets up a machine with a fresh clone. Its user has set engine-strict. */
export const setUp = async (machine: Machine) => {
  const env = environmentWith(await programsOf(machine), machine);
  const cwd = await clone(machine.folder);
  return {
    /** Runs a command line, and returns its exit code and all that it prints. */
    run: (line: string) => {
      const child = spawn('sh', ['-c', line], { cwd, env, detached: true });
      atEnd(() => killGroup(child));
      return ended(child);
    },
    /** Runs a command on a terminal of its own. */
    onTerminal: (...command: string[]): ChildProcess => {
      const child = onTerminal(command, { cwd, env });
      atEnd(() => child.kill('SIGKILL'));
      return child;
    },
  };
};
