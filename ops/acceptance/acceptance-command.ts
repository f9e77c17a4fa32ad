import { Option } from 'commander';
import { parsePort } from '../cli/arguments.ts';
import { CliError } from '../cli/cli-error.ts';
import { pages } from '../cli/pages.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import { print, type Terminal } from '../cli/terminal.ts';
import { issueApiKey, revokeKey } from '../keys/issued-keys.ts';
import { localStage } from '../stage/local-stage.ts';
import { parseBaseUrl } from './base-url.ts';
import { isSendable } from './request-list.ts';
import { type AcceptanceRun, runAcceptance } from './run-acceptance.ts';

interface CommandOptions {
  baseUrl?: string;
  local?: boolean;
  port?: number;
  apiKey?: string;
  readOnly?: boolean;
  keyAccess: AcceptanceRun['keyAccess'];
  json?: boolean;
}

export const acceptanceCommand = (terminal: Terminal): PetstoreCommand =>
  new PetstoreCommand('acceptance')
    .examples(
      'acceptance --local',
      'acceptance --base-url https://pets.example/v1 --read-only --key-access read',
    )
    .page(pages.acceptance)
    .environment('ACCEPTANCE_API_KEY has the key, unless --api-key is given.')
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
    .option('--api-key <key>', 'an API key of that stage')
    .addOption(
      new Option('--key-access <access>', 'what the key may do, which is checked, too')
        .choices(['read', 'write'])
        .default('write'),
    )
    .option('--read-only', 'send no request that would change data')
    .addHelpText(
      'after',
      '\nWithout --read-only, it changes the quantity of one or two entries and restores it.',
    )
    .addHelpText('after', 'The exit code is 8 if the deployment differs from the contract.')
    .action((options: CommandOptions) => run(terminal, options));

const run = async (terminal: Terminal, options: CommandOptions): Promise<void> => {
  const { baseUrl } = options;
  if (options.local || options.port !== undefined) {
    await checkLocalRun(terminal, options);
  } else if (baseUrl !== undefined) {
    const apiKey = options.apiKey ?? terminal.env.ACCEPTANCE_API_KEY ?? '';
    await check(terminal, { ...options, baseUrl, apiKey });
  } else {
    throw new CliError('usage', 'Say what to check: --base-url URL, or --local.');
  }
};

/** Checks the local run, with a key that works only for that time unless one is given. */
const checkLocalRun = async (terminal: Terminal, options: CommandOptions): Promise<void> => {
  const { baseUrl, apiKeys, stageName } = await localStage(options.port, terminal.env);
  if (options.apiKey !== undefined) {
    await check(terminal, { ...options, baseUrl, apiKey: options.apiKey });
    return;
  }
  const { apiKey, record } = await issueApiKey(apiKeys, {
    stageName,
    name: 'petstore acceptance',
    access: options.keyAccess,
  });
  try {
    await check(terminal, { ...options, baseUrl, apiKey });
  } finally {
    await revokeKey(apiKeys, record);
  }
};

type Checked = CommandOptions & { baseUrl: string; apiKey: string };

/** Throws a CliError unless the service passes the suite. */
const check = async (terminal: Terminal, options: Checked): Promise<void> => {
  const { baseUrl, apiKey, keyAccess, readOnly = false } = options;
  if (!isSendable(apiKey)) {
    throw new CliError(
      'usage',
      'An API key is needed: --api-key, or the environment variable ACCEPTANCE_API_KEY.',
    );
  }
  const passed = await runAcceptance(terminal, { baseUrl, apiKey, keyAccess, readOnly });
  if (!passed) {
    throw new CliError('failed', `${baseUrl} differs from the contract.`);
  }
  const extent = readOnly ? ', as far as read-only requests can tell' : '';
  const result = { baseUrl, keyAccess, readOnly, passed };
  print(terminal, options, result, `${baseUrl} keeps the contract${extent}.`);
};
