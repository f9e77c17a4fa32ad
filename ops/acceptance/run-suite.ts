import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { escapeControls, type Terminal, tell } from '../cli/terminal.ts';

const project = join(import.meta.dirname, '../..');

const jestArguments = [
  'node_modules/jest/bin/jest.js',
  '--runTestsByPath',
  'test/system/acceptance/deployment.ts',
  // Without this, Jest would run no file but *.test.ts.
  '--testMatch=**/*.ts',
  '--testTimeout=600000',
  '--ci',
  '--no-stack-trace',
  '--verbose',
  '--json',
];

/** Credentials of AWS and GitHub, and API keys of stages that are not checked. */
const secrets = /^(AWS_|ACTIONS_|GITHUB_TOKEN$|PETSTORE_\w+_API_KEY$)/;

interface SuiteProps {
  baseUrl: string;
  apiKey: string;
  readOnly: boolean;
  /** Whether standard output is for the result alone. */
  json: boolean;
}

/**
 * Runs the acceptance suite in a process of its own, and prints its lines as they come. Returns
 * whether it passed, and its report.
 */
export const runSuite = async (
  terminal: Terminal,
  { baseUrl, apiKey, readOnly, json }: SuiteProps,
): Promise<{ passed: boolean; report: string }> => {
  const env: NodeJS.ProcessEnv = {
    ...withoutSecrets(terminal.env),
    ACCEPTANCE_BASE_URL: baseUrl,
    ACCEPTANCE_API_KEY: apiKey,
  };
  if (readOnly) {
    env.ACCEPTANCE_READ_ONLY = 'true';
  }
  const child = spawn(process.execPath, jestArguments, {
    cwd: project,
    env,
    // Ctrl-C must not reach the suite: it may have quantities to restore.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  terminal.signal.addEventListener('abort', () =>
    tell(terminal, 'Stopping once all quantities are restored.'),
  );
  const withoutKey = (quoting: string): string => quoting.replaceAll(apiKey, '<API_KEY>');
  const output = json ? terminal.stderr : terminal.stdout;
  createInterface({ input: child.stderr }).on('line', (line) =>
    output.write(`${escapeControls(withoutKey(line))}\n`),
  );
  const [report, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { passed: code === 0, report: withoutKey(report) };
};

/** Returns the environment without the secrets, since the suite sends HTTP requests only. */
const withoutSecrets = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.test(name)));
