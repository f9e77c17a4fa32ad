import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../cli/cli-error.ts';

/** What a running `petstore start` says of itself to the programs of the same user. */
export interface RunDescription {
  pid: number;
  accountId: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  stageName: string;
  /** Ends in `/v1`; its origin also serves what operators ask of API Gateway. */
  baseUrl: string;
  restApiId: string;
  dynamodb: { endpoint: string; inventory: string; apiKeys: string };
}

/**
 * Where the descriptions are. The temporary directory is open to all: another user could have made it, to read or
 * write files through links in it or to have keys sent elsewhere. By user id, because a user need not have a name.
 * @throws CliError if it is not the user's own
 */
const openDirectory = ({ TMPDIR }: NodeJS.ProcessEnv): string => {
  // Windows has no user ids; its temporary directory is the user's own.
  const user = process.getuid?.();
  const directory = join(TMPDIR || tmpdir(), `petstore-inventory-runs-${user ?? ''}`);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
  const stats = lstatSync(directory);
  if (!stats.isDirectory() || (user !== undefined && (stats.uid !== user || (stats.mode & 0o77) !== 0))) {
    throw new CliError('unavailable', `${directory} must be a directory of yours that nobody else can open.`, {
      hint: `Remove it, or set TMPDIR: rm -r ${directory}`,
    });
  }
  return directory;
};

/** Leaves a description of this process for others, as long as it runs. */
export const writeRunFile = (description: RunDescription, env: NodeJS.ProcessEnv): void => {
  const file = join(openDirectory(env), `${description.pid}.json`);
  // Under another name first, so that no one reads half of it. A process of the same number may have left one behind.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(description), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  process.once('exit', () => rmSync(file, { force: true }));
};

/** Every description there is; runs that were killed have left theirs behind. */
export const readRunFiles = (env: NodeJS.ProcessEnv): RunDescription[] => {
  const directory = openDirectory(env);
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
};

export const removeRunFile = ({ pid }: RunDescription, env: NodeJS.ProcessEnv): void =>
  rmSync(join(openDirectory(env), `${pid}.json`), { force: true });
