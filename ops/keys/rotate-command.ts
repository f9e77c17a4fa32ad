import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { hinted } from '../cli/to-cli-error.ts';
import type { Stage } from '../stage/stage.ts';
import { type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseDuration, parseNewExpiry } from './arguments.ts';
import { assertEnforced } from './assert-enforced.ts';
import { assertActive, changedMeanwhile, findKey } from './find-key.ts';
import {
  changeKey,
  epochSeconds,
  type IssuedKey,
  idOf,
  issueApiKey,
  type NewKey,
} from './issued-keys.ts';
import { isoTime, keySummary } from './key-summary.ts';
import { printIssued, shown } from './print-key.ts';

interface RotateOptions extends StageOptions {
  /** In seconds. */
  overlap: number;
  /** The end of the new key in epoch seconds, Infinity for none. */
  expires?: number;
}

export const rotateCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand('rotate', 'issue a key to replace another; both work during an overlap')
    .permissions('dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Scan')
    .examples(
      'keys rotate 4be1c0ffee4be1c0 --overlap 24h --local',
      'keys rotate 4be1c0ffee4be1c0 --overlap 7d --expires 90d --stage prod',
    )
    .argument('<id>', 'the ID of the key to replace, as keys list shows it')
    .requiredOption('--overlap <duration>', 'how long both keys work: 30m, 24h, 7d', parseDuration)
    .option(
      '--expires <when>',
      'when the new key expires: 24h, 90d, a date (UTC), or never ' +
        '(default: it gets the lifetime of the old one)',
      parseNewExpiry,
    )
    .addOption(yesOption())
    .action((id: string, options: RotateOptions) => rotate(terminal, id, options));

interface Rotation {
  stage: Stage;
  /** The key to replace, as it was read. */
  old: IssuedKey;
  id: string;
}

const rotate = async (terminal: Terminal, id: string, options: RotateOptions): Promise<void> => {
  const { stage, key: old, all } = await findKey(terminal, options, id);
  const { name, access } = keySummary(old);
  assertActive(stage, old);
  assertEnforced(stage, access);
  const lifetime = options.expires === undefined ? lifetimeOf(old, all) : undefined;
  await confirm(terminal, {
    question: `Rotate key ${shown(id)} ("${shown(name)}") of prod?`,
    isConfirmed: options.yes || !stage.isProduction,
  });
  // The key may have expired while the question waited for its answer.
  assertActive(stage, old);

  // Once this is read, Ctrl-C no longer ends the process by itself.
  const { signal } = terminal;
  const rotation = { stage, old, id };
  const now = epochSeconds();
  const newEnd = lifetime === undefined ? options.expires : now + lifetime;
  const oldEnd = Math.min(old.expiresAt ?? Infinity, now + options.overlap);
  const overlapEnds = isoTime(oldEnd);
  const issued = await issueReplacement(rotation, newEnd);
  await printIssued(terminal, { options, stage, issued, more: { overlapEnds } });
  await endOldKey(rotation, oldEnd, signal);
  tell(terminal, `It replaces key ${shown(id)}, which works until ${overlapEnds}.`);
};

/**
 * Returns the seconds for which a key was issued, Infinity for one without an end. Throws a
 * CliError if its times no longer tell that.
 */
const lifetimeOf = (old: IssuedKey, all: IssuedKey[]): number => {
  const id = idOf(old);
  const hint = 'Say when the new key expires: --expires.';
  const successor = all.find(({ replaces }) => replaces === id);
  if (successor) {
    const given = `${shown(idOf(successor))} was issued in its place`;
    throw new CliError('conflict', `Key ${shown(id)} was rotated before: ${given}.`, { hint });
  }
  const { createdAt, expiresAt } = old;
  if (expiresAt === undefined) {
    return Infinity;
  }
  const lifetime = expiresAt - createdAt;
  if (!Number.isSafeInteger(lifetime)) {
    const message = `Key ${shown(id)} has no valid time of issue or of its end.`;
    throw new CliError('conflict', message, { hint });
  }
  return lifetime;
};

/** Issues a key with the name and the rights of the old one. */
const issueReplacement = ({ stage, old, id }: Rotation, end = Infinity): Promise<NewKey> =>
  issueApiKey(stage.apiKeys, {
    stageName: stage.stageName,
    name: old.name,
    access: old.access ?? 'write',
    expiresAt: end === Infinity ? undefined : end,
    replaces: id,
  });

/** Lets the old key expire, now that somebody has the new one. */
const endOldKey = async (
  { stage, old, id }: Rotation,
  expiresAt: number,
  signal: AbortSignal,
): Promise<void> => {
  try {
    signal.throwIfAborted();
    if (!(await changeKey(stage.apiKeys, old, { expiresAt }))) {
      throw changedMeanwhile(id);
    }
  } catch (error) {
    const list = `${npxPetstore} keys list ${stage.options}`;
    throw hinted(error, `The new key works, and the old one may. See both: ${list}`);
  }
};
