import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import { invalidValue, parsePort } from './cli/arguments.ts';
import { CliError } from './cli/cli-error.ts';
import { PetstoreCommand } from './cli/petstore-command.ts';
import { escapeControls, print, type Terminal, tell } from './cli/terminal.ts';
import { issueApiKey, revokeKey } from './keys/issued-keys.ts';
import { localStage } from './stage/local-stage.ts';
import { requestList } from './stage/request-list.ts';

interface AcceptanceOptions {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey?: string | undefined;
  readOnly?: boolean | undefined;
  json?: boolean | undefined;
}

interface CommandOptions extends Omit<AcceptanceOptions, 'baseUrl'> {
  baseUrl?: string;
  local?: boolean;
  port?: number;
}

const parseBaseUrl = (url: string): string => {
  const baseUrl = url.replace(/\/$/, '');
  const isBaseUrl = /^https?:\/\/[^/?#]+(\/[^?#]*)?\/v1$/.test(baseUrl) && URL.canParse(baseUrl);
  return isBaseUrl ? baseUrl : invalidValue('It must be an http or https URL that ends in /v1.');
};

export const acceptanceCommand = (terminal: Terminal): PetstoreCommand =>
  new PetstoreCommand('acceptance')
    .examples(
      'acceptance --base-url https://pets.example/prod/v1 --read-only',
      'acceptance --local',
    )
    .description('check a deployment against the contract, over HTTP alone')
    .option(
      '--base-url <url>',
      'the BaseUrl that the deployment printed; ends in /v1',
      parseBaseUrl,
    )
    .addOption(
      new Option('--local', 'check the local run, with a key of its own').conflicts('baseUrl'),
    )
    .addOption(
      new Option('--port <port>', 'the port of the local run, if several are running')
        .argParser(parsePort)
        .conflicts('baseUrl'),
    )
    .option(
      '--api-key <key>',
      'an API key of that stage (default: the environment variable ACCEPTANCE_API_KEY)',
    )
    .option('--read-only', 'send no request that would change data')
    .addHelpText(
      'after',
      '\nWithout --read-only, it changes the quantity of one or two entries and restores it.',
    )
    .addHelpText('after', 'The exit code is 8 if the deployment differs from the contract.')
    .action(async ({ baseUrl, ...options }: CommandOptions) => {
      if (options.local || options.port !== undefined) {
        await acceptanceOfLocalRun(terminal, options);
      } else if (baseUrl !== undefined) {
        await acceptance(terminal, { ...options, baseUrl });
      } else {
        throw new CliError('usage', 'Say what to check: --base-url URL, or --local.');
      }
    });

/** Checks the local run, with a key that works only for that time unless one is given. */
const acceptanceOfLocalRun = async (terminal: Terminal, options: CommandOptions): Promise<void> => {
  const { baseUrl, apiKeys, stageName } = await localStage(options.port, terminal.env);
  if (options.apiKey !== undefined) {
    await acceptance(terminal, { ...options, baseUrl });
    return;
  }
  const { apiKey, record } = await issueApiKey(apiKeys, stageName, { name: 'petstore acceptance' });
  try {
    await acceptance(terminal, { ...options, baseUrl, apiKey });
  } finally {
    await revokeKey(apiKeys, record);
  }
};

const suite = [
  '--runTestsByPath',
  'test/system/acceptance/acceptance.test.ts',
  '--testTimeout=600000',
  '--ci',
];

/**
 * Runs the suite in test/system/acceptance against a deployment, prints what it checks, and throws
 * if it fails.
 */
export const acceptance = async (terminal: Terminal, options: AcceptanceOptions): Promise<void> => {
  const {
    baseUrl,
    apiKey = terminal.env.ACCEPTANCE_API_KEY ?? '',
    readOnly,
    json = false,
  } = options;
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new CliError(
      'usage',
      'An API key is needed: --api-key, or the environment variable ACCEPTANCE_API_KEY.',
    );
  }
  const withoutKey = (quoting: string): string => quoting.replaceAll(apiKey, '<API_KEY>');
  await checkService(baseUrl, apiKey);

  // The suite sends HTTP requests only, so it is not passed credentials of AWS.
  const withoutAws = Object.fromEntries(
    Object.entries(terminal.env).filter(([name]) => !name.startsWith('AWS_')),
  );
  const settings = { ACCEPTANCE_BASE_URL: baseUrl, ACCEPTANCE_API_KEY: apiKey };
  const child = spawn(
    process.execPath,
    ['node_modules/jest/bin/jest.js', ...suite, '--no-stack-trace', '--verbose', '--json'],
    {
      cwd: join(import.meta.dirname, '..'),
      env: { ...withoutAws, ...settings, ...(readOnly && { ACCEPTANCE_READ_ONLY: 'true' }) },
      // Ctrl-C must not reach the suite: it may have quantities to restore.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  terminal.signal.addEventListener('abort', () =>
    tell(terminal, 'Stopping once all quantities are restored.'),
  );
  const output = json ? terminal.stderr : terminal.stdout;
  createInterface({ input: child.stderr }).on('line', (line) =>
    output.write(`${escapeControls(withoutKey(line))}\n`),
  );
  const [report, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (json || code === 0) {
    const result = `${baseUrl} keeps the contract${readOnly ? ', as far as read-only requests can tell' : ''}.`;
    print(terminal, { json }, checksOf(JSON.parse(withoutKey(report))), result);
  }
  if (code !== 0) {
    throw new CliError('failed', `${baseUrl} differs from the contract.`);
  }
};

const checkService = async (baseUrl: string, apiKey: string): Promise<void> => {
  const { status, beginning } = await requestList(baseUrl, apiKey).catch(
    ({ message, cause }: Error) => {
      // An error of OpenSSL has several lines; the first is enough.
      const [reason] = ((cause as Error | undefined)?.message || message).split('\n');
      throw new CliError('unavailable', `No response from ${baseUrl}/inventory: ${reason}`);
    },
  );
  if (status === 401) {
    throw new CliError(
      'unavailable',
      `${baseUrl} rejects the API key (401). Is it a key of this stage?`,
    );
  }
  // After a 429, the suite itself retries.
  if (status !== 200 && status !== 429) {
    const body = beginning.slice(0, 200).replaceAll(apiKey, '<API_KEY>');
    throw new CliError(
      'failed',
      `GET ${baseUrl}/inventory returned ${status} instead of 200: ${body}`,
    );
  }
};

type Assertion = Record<'title' | 'status', string> &
  Record<'ancestorTitles' | 'failureMessages', string[]>;

const checksOf = ({ testResults }: { testResults: { assertionResults: Assertion[] }[] }) =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ ancestorTitles: [, ...titles], title, status, failureMessages }) => ({
      check: [...titles, title].join(' '),
      outcome: status === 'pending' ? 'skipped' : status,
      ...(status === 'failed' && { message: failureMessages.join('\n') }),
    }));
