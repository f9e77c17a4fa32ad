import { npxPetstore } from '../cli/command-line.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { hasColors, print, type Terminal, write } from '../cli/terminal.ts';
import { withHint } from '../cli/to-cli-error.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseExpiry, parseName } from './arguments.ts';
import { findCommand } from './find-command.ts';
import { findKey } from './find-key.ts';
import { issueApiKey, issuedKeys } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';
import { keyTable } from './key-table.ts';
import { printIssued, printKey } from './print-key.ts';
import { revokeCommand } from './revoke-command.ts';
import { rotateCommand } from './rotate-command.ts';
import { updateCommand } from './update-command.ts';

export const keysCommands = (terminal: Terminal): PetstoreCommand => {
  const keys = new PetstoreCommand('keys').description(
    'issue, find, list, change, rotate and revoke API keys',
  );
  const commands = [
    createCommand,
    listCommand,
    showCommand,
    findCommand,
    updateCommand,
    rotateCommand,
    revokeCommand,
  ];
  for (const command of commands) {
    keys.addCommand(command(terminal));
  }
  return keys;
};

interface CreateOptions extends StageOptions {
  name: string;
  /** In epoch seconds. */
  expires?: number;
}

const createCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('create', 'issue an API key and print it once')
    .examples(
      'keys create --name shop --local',
      'keys create --name shop --expires 90d --stage staging',
      'keys create --name audit --expires 2999-01-31 --stage prod --yes --json',
    )
    .requiredOption('--name <name>', 'whom the key is for; keys list shows it', parseName)
    .option('--expires <when>', 'when the key expires: 24h, 90d, or a date (UTC)', parseExpiry)
    .addOption(yesOption())
    .action(async ({ name, expires: expiresAt, ...options }: CreateOptions) => {
      const stage = await findStage(terminal, options);
      await confirm(terminal, {
        question: `Issue a key named "${name}" for prod?`,
        isConfirmed: options.yes || !stage.isProduction,
      });
      const issued = await issueApiKey(stage.apiKeys, stage.stageName, { name, expiresAt });
      const revoke = `${npxPetstore} keys revoke ${issued.record.keyId} ${stage.options}`;
      await printIssued(terminal, options, issued).catch(withHint(`Revoke it: ${revoke}`));
    });

const listCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('list', 'list every key ever issued, the oldest first')
    .examples('keys list --local', 'keys list --active --stage prod --json')
    .option('--active', 'only the keys that work')
    .action(async (options: StageOptions & { active?: boolean }) => {
      const stage = await findStage(terminal, options);
      const all = (await issuedKeys(stage.apiKeys)).map(keySummary);
      const keys = options.active ? all.filter(({ state }) => state === 'active') : all;
      if (options.json) {
        print(terminal, options, keys, '');
      } else {
        write(terminal, `${keyTable(keys, hasColors(terminal, terminal.stdout))}\n`);
      }
    });

const showCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('show', 'show one key, by its ID')
    .examples('keys show 4be1c0ffee4be1c0 --local')
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .action(async (id: string, options: StageOptions) => {
      printKey(terminal, options, (await findKey(terminal, options, id)).key);
    });
