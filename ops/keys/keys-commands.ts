import { Command } from 'commander';
import { hashApiKey, isWellFormedApiKey } from '../../functions/keys/api-key.ts';
import { authorizerCacheSeconds, functionTimeout } from '../../functions/shared/time-limits.ts';
import { CliError } from '../cli/cli-error.ts';
import { confirm, print, readSecret, type Terminal, tell } from '../cli/terminal.ts';
import { apiKeysOf, type Stage, stageNames } from '../stage/stage.ts';
import { findStage, type StageOptions, stageCommand, yesOption } from '../stage/stage-command.ts';
import { parseExpiry, parseName, parseNewExpiry } from './arguments.ts';
import { assertActive, findKey } from './find-key.ts';
import { changeKey, type IssuedKey, issueApiKey, issuedKeys, revokeKey, storedKey } from './issued-keys.ts';
import { issuedLine, keyLine, keySummary, keyTable } from './key-summary.ts';
import { rotateCommand } from './rotate-command.ts';

/** Seconds for which a revoked key may still work: as long as it is cached, after a check that was under way. */
export const revocationSeconds = authorizerCacheSeconds + functionTimeout / 1000;

export const keysCommands = (terminal: Terminal): Command => {
  const keys = new Command('keys')
    .description('issue, find, list, change, rotate and revoke API keys')
    .helpCommand(false)
    .addHelpText('after', '\nExample:\n  npx petstore keys list --local');
  const commands = [create, list, show, find, update, rotateCommand, revoke];
  return commands.reduce((group, command) => group.addCommand(command(terminal)), keys);
};

const create = (terminal: Terminal): Command =>
  stageCommand('create', 'issue an API key and print it, this once', [
    'keys create --name shop --local',
    'keys create --name shop --expires 90d --stage staging',
    'keys create --name audit --expires 2027-01-31 --stage prod --yes --json',
  ])
    .requiredOption('--name <name>', 'whom it is for; shown by keys list', parseName)
    .option('--expires <when>', 'when it ends: 24h, 90d, or a date (UTC)', parseExpiry)
    .addOption(yesOption())
    .action(async ({ name, expires, ...options }: StageOptions & { name: string; expires?: number }) => {
      const stage = await findStage(terminal, options);
      if (stage.isProduction) {
        await confirm(terminal, `Issue a key named "${name}" for prod?`, options.yes);
      }
      const { apiKey, record } = await issueApiKey(apiKeysOf(stage), stage.stageName, { name, expiresAt: expires });
      const summary = keySummary(record);
      tell(terminal, issuedLine(summary));
      print(terminal, options, { ...summary, key: apiKey }, apiKey);
    });

const list = (terminal: Terminal): Command =>
  stageCommand('list', 'list every key ever issued, the oldest first', [
    'keys list --local',
    'keys list --stage prod --json',
  ]).action(async (options: StageOptions) => {
    const stage = await findStage(terminal, options);
    const keys = (await issuedKeys(apiKeysOf(stage))).map(keySummary);
    print(terminal, options, keys, keyTable(keys));
  });

const show = (terminal: Terminal): Command =>
  stageCommand('show', 'show one key, by its ID', ['keys show 4be1c0ffee4be1c0 --local'])
    .argument('<id>', 'as keys list shows it')
    .action(async (id: string, options: StageOptions) => {
      const summary = keySummary(await findKey(await findStage(terminal, options), id));
      print(terminal, options, summary, keyLine(summary));
    });

const find = (terminal: Terminal): Command =>
  stageCommand('find', 'say whose a key is, such as a leaked one; it is read from standard input and never printed', [
    'keys find --stage prod',
    'keys find --stage prod --json < leaked.txt',
  ]).action(async (options: StageOptions) => {
    const stage = await findStage(terminal, options);
    const apiKey = await readSecret(terminal, 'API key (not shown): ');
    const owner = stageNames.find((name) => isWellFormedApiKey(apiKey, name));
    if (!owner) {
      throw new CliError('invalid', 'This is not an API key. A key is petstore_STAGE_ and 48 hex digits.');
    }
    if (owner !== stage.stageName) {
      const hint = `Ask there: npx petstore keys find --stage ${owner}`;
      throw new CliError('not_found', `This is a key of ${owner}, not of ${stage.stageName}.`, { hint });
    }
    const key = await storedKey(apiKeysOf(stage), hashApiKey(apiKey));
    if (!key) {
      throw new CliError('not_found', 'This key was never issued here.');
    }
    const summary = keySummary(key);
    print(terminal, options, summary, keyLine(summary));
    if (summary.state === 'active') {
      tell(terminal, `Revoke it: npx petstore keys revoke ${summary.id} --now ${stage.options}`);
    }
  });

const update = (terminal: Terminal): Command =>
  stageCommand('update', 'rename a key, or move its end', [
    'keys update 4be1c0ffee4be1c0 --name "shop, Berlin" --local',
    'keys update 4be1c0ffee4be1c0 --expires 90d --stage prod',
  ])
    .argument('<id>', 'as keys list shows it')
    .option('--name <name>', 'its new name', parseName)
    .option('--expires <when>', 'its new end: 24h, 90d, a date (UTC), or never', parseNewExpiry)
    .addOption(yesOption())
    .action(async (id: string, { name, expires, ...options }: StageOptions & { name?: string; expires?: number }) => {
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
        const hint = `See: npx petstore keys show ${id} ${stage.options}`;
        throw new CliError('conflict', `Key ${id} was changed by somebody else just now; nothing was updated.`, {
          hint,
        });
      }
      const summary = keySummary(changed);
      print(terminal, options, summary, keyLine(summary));
    });

/** @throws CliError if the key is revoked, expired or replaced */
const assertChangeable = (stage: Stage, key: IssuedKey): void => {
  assertActive(stage, key);
  if (key.replacedBy !== undefined) {
    const hint = `See: npx petstore keys show ${key.replacedBy} ${stage.options}`;
    throw new CliError('conflict', `Key ${key.keyId} is replaced by ${key.replacedBy}.`, { hint });
  }
};

const revoke = (terminal: Terminal): Command =>
  stageCommand('revoke', `end a key within ${revocationSeconds} seconds, or at once with --now`, [
    'keys revoke 4be1c0ffee4be1c0 --local',
    'keys revoke 4be1c0ffee4be1c0 --now --stage prod',
  ])
    .argument('<id>', 'as keys list shows it')
    .option('--now', "also empty the stage's authorizer cache, which costs every client's next request a check")
    .addOption(yesOption())
    .action(async (id: string, { now, ...options }: StageOptions & { now?: boolean }) => {
      const stage = await findStage(terminal, options);
      const key = await findKey(stage, id);
      if (stage.isProduction) {
        await confirm(terminal, `Revoke key ${id} ("${key.name}") of prod?`, options.yes);
      }
      const summary = keySummary(await revokeKey(apiKeysOf(stage), key));
      if (now) {
        await stage.flushAuthorizersCache();
      }
      const effect = now ? 'and has stopped working' : `and stops working within ${revocationSeconds} seconds`;
      print(terminal, options, summary, `Key ${id} ("${key.name}") was revoked at ${summary.revoked} ${effect}.`);
      if (summary.replacedBy) {
        const show = `npx petstore keys show ${summary.replacedBy} ${stage.options}`;
        tell(terminal, `A key was issued in its place, which works on: ${show}`);
      }
    });
