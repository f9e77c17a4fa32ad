import type { Command } from 'commander';
import type { StoredKey } from '../../functions/keys/stored-key.ts';
import { CliError } from '../cli/errors.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import {
  addChangingCommand,
  type StageOptions,
  type Work,
  workToPrint,
} from '../stage/stage-command.ts';
import { endKeyBy, epochSeconds, idOf, issueApiKey, secondsIn } from './api-keys.ts';
import { parseDuration, parseExpiry } from './arguments.ts';
import { activeKey, findKey } from './find-key.ts';
import { endIn, isoTime, nameOf, printIssued, titleOf } from './key-summary.ts';

interface RotateOptions extends StageOptions {
  /** In seconds. */
  overlap: number;
  /** In seconds. */
  expires?: number;
}

export const addRotateCommand = (keys: Command, terminal: Terminal): Command =>
  addChangingCommand(keys, 'rotate', 'replace a key with a new one; both work during an overlap')
    .argument('<id>', 'the ID of the key to replace, as keys list shows it')
    .requiredOption('--overlap <duration>', 'how long both keys work: 30m, 24h, 7d', parseDuration)
    .option(
      '--expires <when>',
      'when the new key expires: 24h, 90d, or never (default: same lifetime as the old key)',
      parseExpiry,
    )
    .action(async (id: string, options: RotateOptions) =>
      rotate(await workToPrint(terminal, options), id, options),
    );

const rotate = async (work: Work, id: string, options: RotateOptions): Promise<void> => {
  const { terminal, apiKeys, stageName } = work;
  const { key: old, all } = await findKey(work, id);
  const { access } = activeKey(old);
  const lifetime = options.expires ?? lifetimeOf(old, all);
  await work.confirmOnProd(
    `Rotate prod key ${titleOf(old)}, which then ${endIn(options.overlap)}? ` +
      `The new key ${endIn(lifetime)}.`,
  );
  const name = nameOf(old) ?? '';
  const now = epochSeconds();
  const issued = await issueApiKey(apiKeys, { stageName, name, access, lifetime, replaces: old });
  await printIssued(work, issued);
  // Only now that somebody has the new key. If this is interrupted, both work.
  try {
    const ended = await endKeyBy(apiKeys, old, now + options.overlap);
    tell(terminal, `It replaces key ${id}, which ${endOf(ended)}.`);
  } catch (error) {
    tell(terminal, `The new key works. keys list shows whether key ${id} still does.`);
    throw error;
  }
};

/**
 * Returns the seconds for which a key was issued, Infinity for one without an end.
 * @throws CliError if another key has replaced it, or its record does not tell
 */
const lifetimeOf = (old: StoredKey, all: StoredKey[]): number => {
  if (old.expiresAt === undefined) {
    return Infinity;
  }
  const id = idOf(old);
  const successor = all.find(({ replaces }) => replaces?.S === id);
  if (successor !== undefined) {
    throw new CliError(
      `Key ${id} has already been rotated: ${idOf(successor)} replaced it.\n${sayWhen}`,
    );
  }
  const lifetime = secondsIn(old.lifetime);
  if (lifetime === undefined) {
    throw new CliError(
      `The record of key ${id} does not say for how long it was issued.\n${sayWhen}`,
    );
  }
  return lifetime;
};

const sayWhen = 'Set when the new key expires: --expires 90d, or --expires never.';

const endOf = ({ revokedAt, expiresAt }: StoredKey): string =>
  revokedAt === undefined ? `works until ${isoTime(expiresAt)}` : 'has since been revoked';
