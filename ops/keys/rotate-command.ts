import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { type Terminal, tell } from '../cli/terminal.ts';
import { withHint } from '../cli/to-cli-error.ts';
import type { Stage } from '../stage/stage.ts';
import { type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseDuration, parseExpiry } from './arguments.ts';
import { assertActive, findKey, keyConflict } from './find-key.ts';
import {
  type Changes,
  changeKey,
  epochSeconds,
  type IssuedKey,
  issueApiKey,
  issuedKeys,
  type NewKey,
  revokeKey,
} from './issued-keys.ts';
import { isoTime, keySummary } from './key-summary.ts';
import { printIssued, shown } from './print-key.ts';

interface RotateOptions extends StageOptions {
  /** In seconds. */
  overlap: number;
  /** The expiry of the new key, in epoch seconds. */
  expires?: number;
  force?: boolean;
}

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
    .action((id: string, options: RotateOptions) => rotate(terminal, id, options));

interface Rotation {
  terminal: Terminal;
  options: RotateOptions;
  stage: Stage;
  /** The key to replace, as it was read. */
  old: IssuedKey;
  /** Keys that earlier rotations of it have issued, the oldest first. */
  successors: IssuedKey[];
}

/** A process may end between any two steps. Each leaves what the next rotation can put in order. */
const rotate = async (terminal: Terminal, id: string, options: RotateOptions): Promise<void> => {
  const { stage, key: old } = await findKey(terminal, options, id);
  assertActive(stage, old);
  // Read after the old key, so that they include the successor that it names.
  const successors = (await issuedKeys(stage.apiKeys)).filter(({ replaces }) => replaces === id);
  const rotation: Rotation = { terminal, options, stage, old, successors };

  const replacement = findReplacement(rotation);
  if (replacement && !options.force) {
    throw replacedBefore(rotation, replacement);
  }
  await confirm(terminal, {
    question: `Rotate key ${shown(id)} ("${shown(keySummary(old).name)}") of prod?`,
    isConfirmed: options.yes || !stage.isProduction,
  });
  // The key may have expired while the question waited for its answer.
  assertActive(stage, old);

  const now = epochSeconds();
  const issued = await issueUnprinted(rotation, now);
  const overlapEnds = await endOldKey(rotation, issued, now);
  await revokeLeftovers(rotation, issued, now);
  await printAndMark(rotation, issued, overlapEnds);
};

/** Returns the key that an earlier rotation has printed, if there was one. */
const findReplacement = ({ old, successors }: Rotation): IssuedKey | undefined => {
  const linked = successors.find(({ keyId }) => keyId === old.replacedBy);
  // After two rotations at the same time, the linked key may be that of the one that failed.
  const isOfFailed = linked?.unprinted === true && linked.revokedAt !== undefined;
  const last = isOfFailed ? successors.findLast(({ unprinted }) => !unprinted) : linked;
  return last?.unprinted ? undefined : last;
};

const replacedBefore = ({ options, stage, old }: Rotation, replacement: IssuedKey): CliError => {
  const { id, state } = keySummary(replacement);
  const command = `keys rotate ${shellQuoted(shown(id))} --overlap ${durationOf(options.overlap)}`;
  const rotateThat = `; to rotate that one: ${npxPetstore} ${command} ${stage.options}`;
  const message = `Key ${old.keyId} was rotated before: ${shown(id)} was issued in its place.`;
  return new CliError('conflict', message, {
    hint: `--force issues another${state === 'active' ? rotateThat : '.'}`,
  });
};

const durationOf = (seconds: number): string =>
  seconds % 86_400 === 0 ? `${seconds / 86_400}d` : `${seconds / 60}m`;

/** Stores the new key. Until it is printed and marked so, the next rotation revokes it. */
const issueUnprinted = async ({ options, stage, old }: Rotation, now: number): Promise<NewKey> => {
  const lifetime = lifetimeOf(old);
  if (options.expires === undefined && lifetime === undefined) {
    const message = `Nobody can tell how long key ${old.keyId} was to work: it has no valid times.`;
    throw new CliError('conflict', message, { hint: 'Say when the new key expires: --expires.' });
  }
  const inherited = typeof lifetime === 'number' ? now + lifetime : undefined;
  const expiresAt = options.expires ?? inherited;
  const { name, keyId: replaces } = old;
  const record = { name, expiresAt, replaces, unprinted: true } as const;
  return issueApiKey(stage.apiKeys, stage.stageName, record);
};

/**
 * Returns the seconds from issue to the original expiry, null if there was none, and undefined if a
 * manual write has left that unclear.
 */
const lifetimeOf = ({ lifetime, createdAt, expiresAt }: IssuedKey): number | null | undefined => {
  if (lifetime !== undefined) {
    return lifetime;
  }
  if (expiresAt === undefined) {
    return null;
  }
  const seconds = expiresAt - createdAt;
  return Number.isSafeInteger(seconds) ? seconds : undefined;
};

/** Ends the old key after the overlap, and names its successor. Returns its end. */
const endOldKey = async (rotation: Rotation, issued: NewKey, now: number): Promise<string> => {
  const { options, old } = rotation;
  const end = Math.min(old.expiresAt ?? Infinity, now + options.overlap);
  const { keyId: replacedBy } = issued.record;
  const changes = { expiresAt: end, lifetime: lifetimeOf(old), replacedBy };
  await changeOrUndo(rotation, issued, { key: old, changes, otherwise: 'revoked or changed' });
  return isoTime(end);
};

/** Revokes the keys of earlier rotations that nobody has seen. */
const revokeLeftovers = async (rotation: Rotation, issued: NewKey, now: number): Promise<void> => {
  const isLeft = ({ unprinted, revokedAt }: IssuedKey) => unprinted && revokedAt === undefined;
  for (const key of rotation.successors.filter(isLeft)) {
    const changes = { revokedAt: now };
    await changeOrUndo(rotation, issued, { key, changes, otherwise: 'rotated by somebody else' });
    tell(rotation.terminal, `Key ${key.keyId}, of an interrupted rotation, was revoked.`);
  }
};

interface Step {
  key: IssuedKey;
  changes: Changes;
  /** What has happened to the old key if `key` is no longer as it was read. */
  otherwise: string;
}

/** Changes a key or, if others have changed it, revokes the new key and throws. */
const changeOrUndo = async ({ stage, old }: Rotation, issued: NewKey, step: Step) => {
  const { key, changes, otherwise } = step;
  if (await changeKey(stage.apiKeys, key, changes)) {
    return;
  }
  await revokeKey(stage.apiKeys, issued.record);
  const message = `Key ${old.keyId} was ${otherwise} just now; nothing was issued in its place.`;
  throw keyConflict(stage, message, old.keyId);
};

/** Prints the new key, and then stores that it was printed. */
const printAndMark = async (
  { terminal, options, stage, old }: Rotation,
  issued: NewKey,
  overlapEnds: string,
): Promise<void> => {
  const { keyId } = issued.record;
  tell(terminal, `Key ${shown(old.keyId)} works until ${overlapEnds}. In its place:`);
  const hint = `Running this again revokes key ${keyId} and issues another.`;
  await printIssued(terminal, options, issued, { overlapEnds }).catch(withHint(hint));
  const marked = changeKey(stage.apiKeys, issued.record, { unprinted: undefined });
  if (!(await marked.catch(withHint(hint)))) {
    const cause = `key ${old.keyId} was rotated twice at the same time`;
    throw new CliError('conflict', `Key ${keyId} was revoked: ${cause}.`);
  }
};
