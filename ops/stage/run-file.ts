import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** What a running `npm start` says of itself to the programs of the same user. */
export interface RunDescription {
  pid: number;
  accountId: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  stageName: string;
  /** Ends in `/v1`; its origin also answers what operators ask of API Gateway. */
  baseUrl: string;
  restApiId: string;
  dynamodb: { endpoint: string; inventory: string; apiKeys: string };
}

/** In the temporary directory, by user id: a user need not have a name. */
const directoryOf = ({ TMPDIR }: NodeJS.ProcessEnv): string =>
  join(TMPDIR || tmpdir(), `petstore-inventory-${process.getuid?.() ?? userInfo().username}`);

/** Leaves a description of this process for others, as long as it runs. */
export const writeRunFile = (description: RunDescription, env: NodeJS.ProcessEnv): void => {
  const directory = directoryOf(env);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `${description.pid}.json`);
  // Under another name first, so that no one reads half of it.
  writeFileSync(`${file}.new`, JSON.stringify(description), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  process.once('exit', () => rmSync(file, { force: true }));
};

/** Every description there is; runs that were killed have left theirs behind. */
export const readRunFiles = (env: NodeJS.ProcessEnv): RunDescription[] => {
  const directory = directoryOf(env);
  const owner = statSync(directory, { throwIfNoEntry: false });
  // The temporary directory is open to all: another user could have made it, to have keys sent elsewhere.
  if (!owner || (process.getuid && owner.uid !== process.getuid())) {
    return [];
  }
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
};

export const removeRunFile = ({ pid }: RunDescription, env: NodeJS.ProcessEnv): void =>
  rmSync(join(directoryOf(env), `${pid}.json`), { force: true });
