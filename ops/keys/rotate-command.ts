import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { withHint } from '../cli/to-cli-error.ts';
import { type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseDuration, parseExpiry } from './arguments.ts';
import { assertActive, findKey, keyConflict } from './find-key.ts';
import {
  changeKey,
  epochSeconds,
  type IssuedKey,
  issueApiKey,
  issuedKeys,
  revokeKey,
} from './issued-keys.ts';
import { isoTime, keySummary, printIssued } from './key-summary.ts';

/** `overlap` is in seconds. `expires`, the expiry of the new key, is in epoch seconds. */
type RotateOptions = StageOptions & { overlap: number; expires?: number; force?: boolean };

/**
 * Makes the command. It stores the new key as unprinted, sets the end and successor of the old key
 * unless others have changed that, revokes unprinted keys of earlier rotations, and only then
 * prints the new key and marks it as printed.
 */
export const rotateCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('rotate', 'issue a key to replace another; both work during an overlap')
    .examples(
      'keys rotate 4be1c0ffee4be1c0 --overlap 24h --local',
      'keys rotate 4be1c0ffee4be1c0 --overlap 7d --expires 90d --stage prod',
    )
    .argument('<id>', 'the ID of the key to replace, as keys list shows it')
    .requiredOption('--overlap <duration>', 'how long both keys work: 30m, 24h, 7d', parseDuration)
    .option(
      '--expires <when>',
      'when the new key expires (default: it gets the lifetime of the old one)',
      parseExpiry,
    )
    .option('--force', 'rotate the key even if it was rotated before')
    .addOption(yesOption())
    .action(async (id: string, { overlap, expires, force, ...options }: RotateOptions) => {
      const { stage, key: old } = await findKey(terminal, options, id);
      const table = stage.apiKeys;
      assertActive(stage, old);
      // Read after the old key, so that they include the successor that it names.
      const successors = (await issuedKeys(table)).filter(({ replaces }) => replaces === id);
      const linked = successors.find(({ keyId }) => keyId === old.replacedBy);
      // After two rotations at the same time, the linked key may be that of the rotation that
      // failed.
      const last =
        linked?.unprinted && linked.revokedAt
          ? successors.findLast(({ unprinted }) => !unprinted)
          : linked;
      const replacement = last && keySummary(last);
      if (replacement && !last.unprinted && !force) {
        const duration = overlap % 86_400 === 0 ? `${overlap / 86_400}d` : `${overlap / 60}m`;
        const rotate = `${npxPetstore} keys rotate ${shellQuoted(replacement.id)} --overlap ${duration} ${stage.options}`;
        const hint = `--force issues another${replacement.state === 'active' ? `; to rotate that one: ${rotate}` : '.'}`;
        const message = `Key ${id} was rotated before: ${replacement.id} was issued in its place.`;
        throw new CliError('conflict', message, { hint });
      }
      await confirm(terminal, {
        question: `Rotate key ${id} ("${old.name}") of prod?`,
        isConfirmed: options.yes || !stage.isProduction,
      });
      // The key may have expired while the question waited for its answer.
      assertActive(stage, old);
      const now = epochSeconds();
      const { lifetime = old.expiresAt === undefined ? null : old.expiresAt - old.createdAt } = old;
      const expiresAt = expires ?? (lifetime === null ? undefined : now + lifetime);
      const successor = { name: old.name, expiresAt, replaces: id, unprinted: true } as const;
      const issued = await issueApiKey(table, stage.stageName, successor);
      const { keyId } = issued.record;
      const change = async (key: IssuedKey, changes: Partial<IssuedKey>, otherwise: string) => {
        if (!(await changeKey(table, key, changes))) {
          await revokeKey(table, issued.record);
          throw keyConflict(
            stage,
            `Key ${id} was ${otherwise} just now; nothing was issued in its place.`,
            id,
          );
        }
      };
      const oldEnd = Math.min(old.expiresAt ?? Infinity, now + overlap);
      await change(old, { expiresAt: oldEnd, lifetime, replacedBy: keyId }, 'revoked or changed');
      for (const leftover of successors.filter(
        ({ unprinted, revokedAt }) => unprinted && !revokedAt,
      )) {
        await change(leftover, { revokedAt: now }, 'rotated by somebody else');
        tell(terminal, `Key ${leftover.keyId}, of an interrupted rotation, was revoked.`);
      }
      const overlapEnds = isoTime(oldEnd);
      tell(terminal, `Key ${id} works until ${overlapEnds}. In its place:`);
      const hint = `Running this again revokes key ${keyId}, which works until then, and issues another.`;
      await printIssued(terminal, options, issued, { overlapEnds }).catch(withHint(hint));
      if (
        !(await changeKey(table, issued.record, { unprinted: undefined }).catch(withHint(hint)))
      ) {
        throw new CliError(
          'conflict',
          `Key ${keyId} was revoked: key ${id} was rotated twice at the same time.`,
        );
      }
    });
