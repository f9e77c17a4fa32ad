import type { Command } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, type Terminal, tell } from '../cli/terminal.ts';
import { apiKeysOf } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseDuration, parseExpiry } from './arguments.ts';
import { assertActive, findKey } from './find-key.ts';
import { changeKey, epochSeconds, issueApiKey, issuedKeys, revokeKey } from './issued-keys.ts';
import { isoTime, issuedLine, keySummary } from './key-summary.ts';

interface RotateOptions extends StageOptions {
  /** Seconds. */
  overlap: number;
  /** Epoch seconds. */
  expires?: number;
  force?: boolean;
}

/**
 * The new key is stored as unprinted. If nobody has changed the old one since it was read, that gets its end and the
 * link, and what earlier rotations have left unprinted is revoked. Only then is the new key printed, and marked so.
 */
export const rotateCommand = (terminal: Terminal): Command =>
  stageCommand('rotate', 'issue a key in place of another, which ends after an overlap', [
    'keys rotate 4be1c0ffee4be1c0 --overlap 24h --local',
    'keys rotate 4be1c0ffee4be1c0 --overlap 7d --expires 90d --stage prod',
  ])
    .argument('<id>', 'the key to replace, as keys list shows it')
    .requiredOption('--overlap <duration>', 'how long both keys work: 30m, 24h, 7d', parseDuration)
    .option('--expires <when>', 'when the new key ends (default: it lives as long as the old one was to)', parseExpiry)
    .option('--force', 'even if a key was issued in its place already')
    .addOption(yesOption())
    .action(async (id: string, { overlap, expires, force, ...options }: RotateOptions) => {
      const stage = await findStage(terminal, options);
      const table = apiKeysOf(stage);
      const old = await findKey(stage, id);
      assertActive(stage, old);
      const successors = (await issuedKeys(table)).filter(({ replaces }) => replaces === id);
      const replacement = successors.find(({ keyId, unprinted }) => keyId === old.replacedBy && !unprinted);
      if (replacement && !force) {
        const rotate = `npx petstore keys rotate ${replacement.keyId} --overlap ${overlap / 60}m ${stage.options}`;
        throw new CliError('conflict', `Key ${id} was rotated before: ${replacement.keyId} was issued in its place.`, {
          hint: `--force issues another; to rotate that one: ${rotate}`,
        });
      }
      if (stage.isProduction) {
        await confirm(terminal, `Rotate key ${id} ("${old.name}") of prod?`, options.yes);
      }
      const now = epochSeconds();
      const { lifetime = old.expiresAt === undefined ? null : old.expiresAt - old.createdAt } = old;
      const { apiKey, record } = await issueApiKey(table, stage.stageName, {
        name: old.name,
        expiresAt: expires ?? (lifetime === null ? undefined : now + lifetime),
        replaces: id,
        unprinted: true,
      });
      const oldEnd = Math.min(old.expiresAt ?? Infinity, now + overlap);
      const withdraw = async (reason: string): Promise<never> => {
        await revokeKey(table, record);
        const hint = `See: npx petstore keys show ${id} ${stage.options}`;
        throw new CliError('conflict', `Key ${id} was ${reason} just now; nothing was issued in its place.`, { hint });
      };
      if (!(await changeKey(table, old, { expiresAt: oldEnd, lifetime, replacedBy: record.keyId }))) {
        await withdraw('revoked or changed');
      }
      for (const key of successors.filter(({ unprinted, revokedAt }) => unprinted && revokedAt === undefined)) {
        if (!(await changeKey(table, key, { revokedAt: now }))) {
          await withdraw('rotated by somebody else');
        }
        tell(terminal, `Key ${key.keyId}, of a rotation that broke off, is revoked.`);
      }
      const summary = keySummary(record);
      tell(terminal, `Key ${id} works until ${isoTime(oldEnd)}. In its place:`);
      tell(terminal, issuedLine(summary));
      print(terminal, options, { ...summary, key: apiKey, overlapEnds: isoTime(oldEnd) }, apiKey);
      if (!(await changeKey(table, record, { unprinted: undefined }))) {
        throw new CliError(
          'conflict',
          `Key ${record.keyId} was revoked: key ${id} was rotated twice at the same time.`,
        );
      }
    });
