import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateDirectory } from './private-directory.ts';

/** The description that a running `petstore start` leaves for other programs of the same user. */
export interface RunDescription {
  pid: number;
  accountId: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  stageName: string;
  /** Ends in `/v1`. Its origin also serves the requests that operators send to API Gateway. */
  baseUrl: string;
  restApiId: string;
  dynamodb: { endpoint: string; inventory: string; apiKeys: string };
}

/**
 * Never another user's directory: what it holds could link to this user's files, or have keys sent
 * elsewhere.
 */
const directoryOf = ({ TMPDIR }: NodeJS.ProcessEnv): string =>
  privateDirectory(TMPDIR || tmpdir(), 'runs');

/**
 * Writes the description of this process for other programs. It is removed when the process exits.
 */
export const writeRunFile = (description: RunDescription, env: NodeJS.ProcessEnv): void => {
  const file = join(directoryOf(env), `${description.pid}.json`);
  // Renamed once complete, so that nobody reads half of it. An earlier process with the same pid
  // may have left one.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(description), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  process.once('exit', () => rmSync(file, { force: true }));
};

/** Returns every description, including those that killed runs have left behind. */
export const readRunFiles = (env: NodeJS.ProcessEnv): RunDescription[] => {
  const directory = directoryOf(env);
  const names = readdirSync(directory).filter((name) => /^\d+\.json$/.test(name));
  return names.flatMap((name) => {
    try {
      const run = JSON.parse(readFileSync(join(directory, name), 'utf8'));
      return URL.canParse(run.baseUrl) ? [run] : [];
    } catch {
      // The run may have ended just now, or its disk may have been full.
      return [];
    }
  });
};

export const removeRunFile = ({ pid }: RunDescription, env: NodeJS.ProcessEnv): void =>
  rmSync(join(directoryOf(env), `${pid}.json`), { force: true });
