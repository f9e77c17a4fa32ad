import type { Command } from 'commander';
import { CliError } from '../cli/errors.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { addStageCommand, type StageOptions, type Work, workOn } from '../stage/stage-command.ts';
import { endKeyBy, epochSeconds, idOf, issueApiKey, type StoredKey } from './api-keys.ts';
import { parseDuration, parseExpiry } from './arguments.ts';
import { assertActive, findKey } from './find-key.ts';
import { isoTime, printIssued, titleOf } from './key-summary.ts';

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
    .action(async (id: string, options: RotateOptions) =>
      rotate(await workOn(terminal, options), id, options),
    );

const rotate = async (work: Work, id: string, options: RotateOptions): Promise<void> => {
  const { terminal, apiKeys, stageName } = work;
  const { key: old, all } = await findKey(work, id);
  assertActive(old);
  const lifetime = options.expires === undefined ? lifetimeOf(old, all) : undefined;
  await work.confirmOnProd(`Rotate key ${titleOf(old)} of prod?`);
  const { name, access } = old;
  const now = epochSeconds();
  const expiresAt = lifetime === undefined ? options.expires : now + lifetime;
  const issued = await issueApiKey(apiKeys, { stageName, name, access, expiresAt, replaces: id });
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
 * @throws CliError if its end may be that of an overlap
 */
const lifetimeOf = (old: StoredKey, all: StoredKey[]): number => {
  const { createdAt, expiresAt } = old;
  if (expiresAt === undefined) {
    return Infinity;
  }
  const id = idOf(old);
  const successor = all.find(({ replaces }) => replaces === id);
  if (successor !== undefined) {
    throw new CliError(
      `Key ${id} was rotated before: ${idOf(successor)} was issued in its place.\n` +
        'Say when the new key expires: --expires 90d, or never.',
    );
  }
  return expiresAt - createdAt;
};

const endOf = ({ revokedAt, expiresAt }: StoredKey): string =>
  revokedAt === undefined ? `works until ${isoTime(expiresAt)}` : 'was revoked meanwhile';
