import { hashApiKey, isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { authorizerCacheSeconds, functionTimeout } from '../../functions/shared/time-limits.ts';
import { CliError } from '../cli/cli-error.ts';
import { npxPetstore, shellQuoted } from '../cli/command-line.ts';
import { PetstoreCommand } from '../cli/petstore-command.ts';
import { confirm, readSecret } from '../cli/questions.ts';
import { print, type Terminal, tell } from '../cli/terminal.ts';
import { withHint } from '../cli/to-cli-error.ts';
import { stageNames } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseExpiry, parseName, parseNewExpiry } from './arguments.ts';
import { assertActive, findKey, keyConflict } from './find-key.ts';
import {
  changeKey,
  epochSeconds,
  issueApiKey,
  issuedKeys,
  revokeKey,
  storedKey,
} from './issued-keys.ts';
import { keySummary, keyTable, printIssued, printKey } from './key-summary.ts';
import { rotateCommand } from './rotate-command.ts';

export const keysCommands = (terminal: Terminal): PetstoreCommand => {
  const keys = new PetstoreCommand('keys').description(
    'issue, find, list, change, rotate and revoke API keys',
  );
  const commands = [create, list, show, find, update, rotateCommand, revoke];
  return commands.reduce((group, command) => group.addCommand(command(terminal)), keys);
};

const create = (terminal: Terminal): PetstoreCommand =>
  stageCommand('create', 'issue an API key and print it once')
    .examples(
      'keys create --name shop --local',
      'keys create --name shop --expires 90d --stage staging',
      'keys create --name audit --expires 2999-01-31 --stage prod --yes --json',
    )
    .requiredOption('--name <name>', 'whom the key is for; keys list shows it', parseName)
    .option('--expires <when>', 'when the key expires: 24h, 90d, or a date (UTC)', parseExpiry)
    .addOption(yesOption())
    .action(
      async ({
        name,
        expires: expiresAt,
        ...options
      }: StageOptions & { name: string; expires?: number }) => {
        const stage = await findStage(terminal, options);
        await confirm(terminal, {
          question: `Issue a key named "${name}" for prod?`,
          isConfirmed: options.yes || !stage.isProduction,
        });
        const issued = await issueApiKey(stage.apiKeys, stage.stageName, { name, expiresAt });
        const hint = `Revoke it: ${npxPetstore} keys revoke ${issued.record.keyId} ${stage.options}`;
        await printIssued(terminal, options, issued).catch(withHint(hint));
      },
    );

const list = (terminal: Terminal): PetstoreCommand =>
  stageCommand('list', 'list every key ever issued, the oldest first')
    .examples('keys list --local', 'keys list --stage prod --json')
    .action(async (options: StageOptions) => {
      const keys = await issuedKeys((await findStage(terminal, options)).apiKeys);
      print(terminal, options, keys.map(keySummary), keyTable(keys.map(keySummary)));
    });

const show = (terminal: Terminal): PetstoreCommand =>
  stageCommand('show', 'show one key, by its ID')
    .examples('keys show 4be1c0ffee4be1c0 --local')
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .action(async (id: string, options: StageOptions) => {
      printKey(terminal, options, (await findKey(terminal, options, id)).key);
    });

const find = (terminal: Terminal): PetstoreCommand =>
  stageCommand('find', 'read a key from standard input and say whose it is')
    .examples('keys find --stage prod', 'keys find --stage prod --json < leaked.txt')
    .action(async (options: StageOptions) => {
      const stage = await findStage(terminal, options);
      const apiKey = (await readSecret(terminal, 'API key (not shown): ')).trim();
      const owner = stageNames.find((name) => isWellFormedApiKey(apiKey, name));
      if (!owner) {
        throw new CliError(
          'invalid',
          'This is not an API key. A key is petstore_STAGE_ followed by 48 hex digits.',
        );
      }
      if (owner !== stage.stageName) {
        const hint = `Look there: ${npxPetstore} keys find --stage ${owner}`;
        throw new CliError('not_found', `This is a key of ${owner}, not of ${stage.stageName}.`, {
          hint,
        });
      }
      const key = await storedKey(stage.apiKeys, hashApiKey(apiKey));
      if (!key) {
        throw new CliError('not_found', 'This key was never issued here.');
      }
      printKey(terminal, options, key);
      if (keySummary(key).state === 'active') {
        tell(
          terminal,
          `Revoke it: ${npxPetstore} keys revoke ${shellQuoted(key.keyId)} --now ${stage.options}`,
        );
      }
    });

const update = (terminal: Terminal): PetstoreCommand =>
  stageCommand('update', 'rename a key, or change when it expires')
    .examples(
      'keys update 4be1c0ffee4be1c0 --name "shop, Berlin" --local',
      'keys update 4be1c0ffee4be1c0 --expires 90d --stage prod',
    )
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option('--name <name>', 'its new name', parseName)
    .option(
      '--expires <when>',
      'when it expires instead: 24h, 90d, a date (UTC), or never',
      parseNewExpiry,
    )
    .addOption(yesOption())
    .action(async (id: string, options: StageOptions & { name?: string; expires?: number }) => {
      if (options.name === undefined && options.expires === undefined) {
        throw new CliError('usage', 'Say what to change: --name, --expires or both.');
      }
      const { stage, key } = await findKey(terminal, options, id);
      const { name: oldName, expiresAt: oldEnd = Infinity, replacedBy } = key;
      const { name = oldName, expires = oldEnd } = options;
      assertActive(stage, key);
      if (replacedBy !== undefined) {
        throw keyConflict(stage, `Key ${id} is replaced by ${replacedBy}.`, replacedBy);
      }
      if (expires > oldEnd) {
        const question = `Let key ${id} ("${oldName}") of prod work longer?`;
        const isConfirmed = options.yes || !stage.isProduction;
        await confirm(terminal, { question, isConfirmed });
        // The key may have expired while the question waited for its answer.
        assertActive(stage, key);
      }
      const expiresAt = expires === Infinity ? undefined : expires;
      const changed = await changeKey(stage.apiKeys, key, { name, expiresAt });
      if (!changed) {
        throw keyConflict(
          stage,
          `Key ${id} was changed by somebody else just now; nothing was updated.`,
          id,
        );
      }
      printKey(terminal, options, changed);
    });

/**
 * Seconds for which a revoked key may still work: a check in flight may accept it, and is then
 * cached.
 */
const revocationSeconds = authorizerCacheSeconds + functionTimeout / 1000;

const revoke = (terminal: Terminal): PetstoreCommand =>
  stageCommand('revoke', `end a key within ${revocationSeconds} seconds, or at once with --now`)
    .examples(
      'keys revoke 4be1c0ffee4be1c0 --local',
      'keys revoke 4be1c0ffee4be1c0 --now --stage prod',
    )
    .argument('<id>', 'the ID of the key, as keys list shows it')
    .option(
      '--now',
      "also empty the stage's authorizer cache, so that every client's next request is checked",
    )
    .addOption(yesOption())
    .action(async (id: string, { now, ...options }: StageOptions & { now?: boolean }) => {
      const { stage, key } = await findKey(terminal, options, id);
      await confirm(terminal, {
        question: `Revoke key ${id} ("${key.name}") of prod?`,
        isConfirmed: options.yes || !stage.isProduction,
      });
      const revoked = await revokeKey(stage.apiKeys, key);
      const summary = keySummary(revoked);
      if (now) {
        const { client, restApiId } = stage.restApi;
        await client.flushStageAuthorizersCache({ restApiId, stageName: stage.stageName });
      }
      const hasStopped = now || epochSeconds() - (revoked.revokedAt ?? 0) > revocationSeconds;
      const effect = hasStopped
        ? 'and has stopped working'
        : `and stops working within ${revocationSeconds} seconds`;
      print(
        terminal,
        options,
        summary,
        `Key ${id} ("${key.name}") was revoked at ${summary.revoked} ${effect}.`,
      );
      const keys = (await issuedKeys(stage.apiKeys)).map(keySummary);
      for (const successor of keys.filter(
        ({ replaces, state }) => replaces === id && state === 'active',
      )) {
        const look = `${npxPetstore} keys show ${shellQuoted(successor.id)} ${stage.options}`;
        tell(terminal, `A key that was issued in its place still works: ${look}`);
      }
    });
