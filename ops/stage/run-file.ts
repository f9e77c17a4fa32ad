import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateDirectory } from '../../infra/assembly/private-directory.ts';

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

/** Another user's is never taken: it could hold links to files of this one, or have keys sent elsewhere. */
const directoryOf = ({ TMPDIR }: NodeJS.ProcessEnv): string => privateDirectory(TMPDIR || tmpdir(), 'runs');

/** Leaves a description of this process for others, as long as it runs. */
export const writeRunFile = (description: RunDescription, env: NodeJS.ProcessEnv): void => {
  const file = join(directoryOf(env), `${description.pid}.json`);
  // Under another name first, so that no one reads half of it. A process of the same number may have left one behind.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(description), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  process.once('exit', () => rmSync(file, { force: true }));
};

/** Every description there is; runs that were killed have left theirs behind. */
export const readRunFiles = (env: NodeJS.ProcessEnv): RunDescription[] => {
  const directory = directoryOf(env);
  const names = readdirSync(directory).filter((name) => /^\d+\.json$/.test(name));
  return names.flatMap((name) => {
    try {
      const run = JSON.parse(readFileSync(join(directory, name), 'utf8'));
      return URL.canParse(run.baseUrl) ? [run] : [];
    } catch {
      // That run may just have ended, or its disk was full.
      return [];
    }
  });
};

export const removeRunFile = ({ pid }: RunDescription, env: NodeJS.ProcessEnv): void =>
  rmSync(join(directoryOf(env), `${pid}.json`), { force: true });
