import type { Command } from 'commander';
import { confirm } from '../cli/questions.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions } from '../stage/stage.ts';
import { epochSeconds, issueApiKey, setExpiry } from './api-keys.ts';
import { parseDuration, parseExpiry } from './arguments.ts';
import { printIssued } from './create-command.ts';
import { assertActive, findKey } from './find-key.ts';
import { isoTime } from './key-summary.ts';

interface RotateOptions extends StageOptions {
  /** In seconds. */
  overlap: number;
  /** In epoch seconds. */
  expires?: number;
}

export const addRotateCommand = (keys: Command, terminal: Terminal): Command =>
  addStageCommand(keys, 'rotate', 'issue a key to replace another; both work during an overlap')
    .argument('<id>', 'the ID of the key to replace, as keys list shows it')
    .requiredOption('--overlap <duration>', 'how long both keys work: 30m, 24h, 7d', parseDuration)
    .option(
      '--expires <when>',
      'when the new key expires: 24h, 90d, or never (default: it gets the lifetime of the old one)',
      parseExpiry,
    )
    .action((id: string, options: RotateOptions) => rotate(terminal, id, options));

const rotate = async (terminal: Terminal, id: string, options: RotateOptions): Promise<void> => {
  const { stage, key: old } = await findKey(terminal, options, id);
  assertActive(old);
  const { name, access, createdAt, expiresAt = Infinity } = old;
  if (stage.isProduction) {
    await confirm(terminal, options, `Rotate key ${id} ("${name}") of prod?`);
  }
  const { apiKeys, stageName } = stage;
  const now = epochSeconds();
  const newEnd = options.expires ?? now + (expiresAt - createdAt);
  const issued = await issueApiKey(apiKeys, { stageName, name, access, expiresAt: newEnd });
  await printIssued(terminal, options, issued);
  // Only now that somebody has the new key. If this is interrupted, both work.
  const oldEnd = Math.min(expiresAt, now + options.overlap);
  await setExpiry(apiKeys, old, oldEnd);
  tell(terminal, `It replaces key ${id}, which works until ${isoTime(oldEnd)}.`);
};
