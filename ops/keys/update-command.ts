import { CliError } from '../cli/cli-error.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import type { Terminal } from '../cli/terminal.ts';
import { type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseName, parseNewExpiry } from './arguments.ts';
import { assertActive, changedMeanwhile, findKey } from './find-key.ts';
import { changeKey } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';
import { printKey, shown } from './print-key.ts';

interface UpdateOptions extends StageOptions {
  name?: string;
  /** In epoch seconds, Infinity for a key without an end. */
  expires?: number;
}

export const updateCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('update', 'rename a key, or change when it expires')
    .permissions('dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Scan')
    .examples(
      'keys update 4be1c0ffee4be1c0 --name "shop, Berlin" --local',
      'keys update 4be1c0ffee4be1c0 --expires 90d --stage prod',
    )
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option('--name <name>', 'its new name', parseName)
    .option('--expires <when>', 'its new end: 24h, 90d, a date (UTC), or never', parseNewExpiry)
    .addOption(yesOption())
    .action((id: string, options: UpdateOptions) => update(terminal, id, options));

const update = async (terminal: Terminal, id: string, options: UpdateOptions): Promise<void> => {
  if (options.name === undefined && options.expires === undefined) {
    throw new CliError('usage', 'Say what to change: --name, --expires or both.');
  }
  const { stage, key } = await findKey(terminal, options, id);
  const oldEnd = key.expiresAt ?? Infinity;
  const newEnd = options.expires ?? oldEnd;
  const newName = options.name ?? key.name;
  assertActive(stage, key);
  if (newEnd > oldEnd) {
    await confirm(terminal, {
      question: `Let key ${shown(id)} ("${shown(keySummary(key).name)}") of prod work longer?`,
      isConfirmed: options.yes || !stage.isProduction,
    });
    // The key may have expired while the question waited for its answer.
    assertActive(stage, key);
  }
  const changed = await changeKey(stage.apiKeys, key, {
    name: newName,
    expiresAt: newEnd === Infinity ? undefined : newEnd,
  });
  if (!changed) {
    throw changedMeanwhile(id);
  }
  printKey(terminal, options, changed);
};
