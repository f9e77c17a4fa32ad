import { authorizerCacheSeconds, functionTimeout } from '../../functions/shared/time-limits.ts';
import { CliError } from '../cli/cli-error.ts';
import type { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm } from '../cli/questions.ts';
import { print, type Terminal, tell, untilInterrupted } from '../cli/terminal.ts';
import { toCliError } from '../cli/to-cli-error.ts';
import type { Stage } from '../stage/stage.ts';
import { type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { findKey } from './find-key.ts';
import { epochSeconds, revokeKey } from './issued-keys.ts';
import { keySummary } from './key-summary.ts';
import { named, shown } from './print-key.ts';

/**
 * Seconds for which a revoked key may still work: a check that was under way may accept it, and is
 * then cached.
 */
const revocationSeconds = authorizerCacheSeconds + functionTimeout / 1000;

/** The query of CloudWatch Logs Insights is part of every stage. */
const whoUsesIt = 'The saved query use-of-keys shows who uses it.';

interface RevokeOptions extends StageOptions {
  now?: boolean;
}

export const revokeCommand = (terminal: Terminal): PetstoreCommand =>
  stageCommand(
    'revoke',
    `end a key within ${revocationSeconds} seconds, or within ${functionTimeout / 1000} with --now`,
  )
    .permissions('apigateway:DELETE', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Scan')
    .examples(
      'keys revoke 4be1c0ffee4be1c0 --local',
      'keys revoke 4be1c0ffee4be1c0 --now --stage prod',
    )
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option('--now', "also empty the stage's authorizer cache, so that every key is checked anew")
    .addOption(yesOption())
    .action((id: string, options: RevokeOptions) => revoke(terminal, id, options));

const revoke = async (terminal: Terminal, id: string, options: RevokeOptions): Promise<void> => {
  const { stage, key } = await findKey(terminal, options, id);
  await confirm(terminal, {
    question: `Revoke key ${shown(id)} ("${shown(keySummary(key).name)}") of prod? ${whoUsesIt}`,
    isConfirmed: options.yes || !stage.isProduction,
  });
  const revoked = await revokeKey(stage.apiKeys, key);
  if (!revoked) {
    throw new CliError('not_found', `Key ${shown(id)} was removed from the table just now.`);
  }
  // The key is revoked even if its cache cannot be emptied, so that is said first.
  const failure = options.now ? await emptyCache(terminal, stage) : undefined;
  const isChecked = options.now === true && failure === undefined;
  const isLongAgo = epochSeconds() - Number(revoked.revokedAt) > revocationSeconds;
  const effect =
    isChecked || isLongAgo
      ? 'and has stopped working'
      : `and stops working within ${revocationSeconds} seconds`;
  const summary = keySummary(revoked);
  const text = `${named(summary)} was revoked at ${shown(summary.revoked)} ${effect}.`;
  print(terminal, options, summary, text);
  if (failure) {
    throw failure;
  }
};

/**
 * Empties the cache at once, and again when no check can be under way that read the key before it
 * was revoked: its result would be cached after the first time. Returns the error if that fails.
 */
const emptyCache = async (terminal: Terminal, stage: Stage): Promise<CliError | undefined> => {
  const { client, restApiId } = stage.restApi;
  const { stageName } = stage;
  try {
    await client.flushStageAuthorizersCache({ restApiId, stageName });
    const seconds = functionTimeout / 1000;
    tell(terminal, `The cache is emptied once more in ${seconds} s, after checks under way.`);
    await untilInterrupted(terminal, sleep(functionTimeout));
    await client.flushStageAuthorizersCache({ restApiId, stageName });
    return undefined;
  } catch (error) {
    const { code, message, details, cause } = toCliError(error);
    const explained = `The authorizer's cache was not emptied for good: ${message}`;
    return new CliError(code, explained, { hint: details.hint, cause });
  }
};

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds));
