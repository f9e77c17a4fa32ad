import type { Command } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, type Terminal } from '../cli/terminal.ts';
import { apiKeysOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseName, parseNewExpiry } from './arguments.ts';
import { assertChangeable, findKey } from './find-key.ts';
import { changeKey } from './issued-keys.ts';
import { keyLine, keySummary } from './key-summary.ts';

interface UpdateOptions extends StageOptions {
  name?: string;
  /** Epoch seconds, or Infinity for never. */
  expires?: number;
}

export const updateCommand = (terminal: Terminal): Command =>
  stageCommand('update', 'rename a key, or move its end', [
    'keys update 4be1c0ffee4be1c0 --name "shop, Berlin" --local',
    'keys update 4be1c0ffee4be1c0 --expires 90d --stage prod',
  ])
    .argument('<id>', 'as keys list shows it')
    .option('--name <name>', 'its new name', parseName)
    .option('--expires <when>', 'its new end: 24h, 90d, a date (UTC), or never', parseNewExpiry)
    .addOption(yesOption())
    .action(async (id: string, { name, expires, ...options }: UpdateOptions) => {
      if (name === undefined && expires === undefined) {
        throw new CliError('usage', 'Say what to change: --name, --expires or both.');
      }
      const stage = await findStage(terminal, options);
      const key = await findKey(stage, id);
      assertChangeable(stage, key);
      if (stage.isProduction && (expires ?? 0) > (key.expiresAt ?? Infinity)) {
        await confirm(terminal, `Let key ${id} ("${key.name}") of prod work longer?`, options.yes);
        // It may have ended while the question stood.
        assertChangeable(stage, key);
      }
      const changed = await changeKey(apiKeysOf(stage), key, {
        ...(name !== undefined && { name }),
        ...(expires !== undefined && { expiresAt: expires === Infinity ? undefined : expires }),
      });
      if (!changed) {
        throw new CliError('conflict', `Key ${id} was changed by somebody else just now, and was left as it is.`, {
          hint: `See: npx petstore keys show ${id} ${stage.options}`,
        });
      }
      const summary = keySummary(changed);
      print(terminal, options, summary, keyLine(summary));
    });
