import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Access } from '../../functions/keys/api-keys-table.ts';
import { escapeControls, type Terminal, tell } from '../cli/terminal.ts';
import { assertService } from './assert-service.ts';

export interface AcceptanceRun {
  /** Ends in `/v1`. */
  baseUrl: string;
  /** A key of that stage. */
  apiKey: string;
  /** Whether to send nothing that would change data. */
  readOnly: boolean;
  /** What the key may do. The suite expects exactly that. */
  keyAccess: Access;
}

const project = join(import.meta.dirname, '../..');

const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  '--config=ops/acceptance/suite/jest.config.js',
  '--ci',
  '--no-stack-trace',
];

/**
 * Runs the acceptance suite against a service, with Jest's output on standard error, and returns
 * whether it passed. Throws a CliError if the service does not answer or rejects the key.
 */
export const runAcceptance = async (terminal: Terminal, run: AcceptanceRun): Promise<boolean> => {
  await assertService(run.baseUrl, run.apiKey);
  tell(terminal, `Checking ${run.baseUrl} against the contract.`);
  const suite = spawn(process.execPath, jest, {
    cwd: project,
    env: suiteEnvironment(terminal.env, run),
    // Ctrl-C must not reach the suite: it may have quantities to restore.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  terminal.signal.addEventListener('abort', () =>
    tell(terminal, 'The checks go on to their end, so that all quantities are restored.'),
  );
  for (const output of [suite.stdout, suite.stderr]) {
    createInterface({ input: output }).on('line', (line) =>
      terminal.stderr.write(`${printable(line, run.apiKey)}\n`),
    );
  }
  const [code] = await once(suite, 'close');
  return code === 0;
};

/** Credentials of AWS and GitHub, and API keys of stages that are not checked. */
const secrets = /^(AWS_|ACTIONS_|GITHUB_TOKEN$|PETSTORE_\w+_API_KEY$)/;

/** Returns the environment without its secrets, since the suite only sends HTTP requests. */
export const suiteEnvironment = (env: NodeJS.ProcessEnv, run: AcceptanceRun): NodeJS.ProcessEnv => {
  const withoutSecrets = Object.entries(env).filter(([name]) => !secrets.test(name));
  return {
    ...Object.fromEntries(withoutSecrets),
    ACCEPTANCE_BASE_URL: run.baseUrl,
    ACCEPTANCE_API_KEY: run.apiKey,
    ACCEPTANCE_READ_ONLY: String(run.readOnly),
    ACCEPTANCE_KEY_ACCESS: run.keyAccess,
    // The escape sequences of colors would be escaped like those of a service.
    FORCE_COLOR: '0',
  };
};

/** Returns a line that may quote a service, without the key and control characters. */
export const printable = (line: string, apiKey: string): string =>
  escapeControls(line.replaceAll(apiKey, '<API_KEY>'));
