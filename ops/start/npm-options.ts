import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { CliError } from '../cli/cli-error.ts';
import { shellQuoted } from '../cli/command-line.ts';

/**
 * Throws if npm has kept an option of `npm start` for itself, as it does with every option that is
 * not behind `--`. It then passes on a variable for each option and, of `--port 0`, the argument 0.
 */
export const assertNpmTookNothing = (command: Command, env: NodeJS.ProcessEnv): void => {
  if (env.npm_lifecycle_event !== 'start') {
    return;
  }
  const taken = command.options.filter((option) => isTaken(option, command, env));
  if (taken.length === 0) {
    return;
  }
  const names = taken.map(({ long }) => long).join(' and ');
  throw new CliError('usage', `npm took ${names} for itself, and did not pass it on.`, {
    hint: `Put options behind --: npm start -- ${retyped(taken, command, env)}`,
  });
};

const isTaken = (option: Option, command: Command, env: NodeJS.ProcessEnv): boolean => {
  const isGiven = command.getOptionValueSource(option.attributeName()) === 'cli';
  // --log-format says more than a --json that npm may have for reasons of its own.
  const isOverruled =
    option.long === '--json' && command.getOptionValueSource('logFormat') === 'cli';
  return !isGiven && !isOverruled && (isVariable(option, env) || isCluster(option, command, env));
};

const isVariable = (option: Option, env: NodeJS.ProcessEnv): boolean =>
  Boolean(valueIn(option, env)) && !isConfigured(option.long ?? '', env);

const valueIn = ({ long }: Option, env: NodeJS.ProcessEnv): string | undefined =>
  env[`npm_config_${(long ?? '').slice(2).replaceAll('-', '_')}`];

/** npm reads --app as its own options -a, -p and -p. */
const isCluster = ({ long }: Option, { args }: Command, env: NodeJS.ProcessEnv): boolean =>
  long === '--app' &&
  args.length > 0 &&
  env.npm_config_all === 'true' &&
  env.npm_config_parseable === 'true';

/** Whether a file of npm's own configuration has the setting, which says nothing about options. */
const isConfigured = (long: string, env: NodeJS.ProcessEnv): boolean => {
  const { npm_config_userconfig, npm_config_globalconfig, npm_config_local_prefix = '' } = env;
  const ofProject = join(npm_config_local_prefix, '.npmrc');
  const setting = new RegExp(`^\\s*${long.slice(2)}\\s*(=|$)`, 'm');
  return [npm_config_userconfig, npm_config_globalconfig, ofProject].some((file) => {
    try {
      return setting.test(readFileSync(file ?? '', 'utf8'));
    } catch {
      return false;
    }
  });
};

/** Returns the options as they should have been typed, with placeholders for unknown values. */
const retyped = (taken: Option[], { args }: Command, env: NodeJS.ProcessEnv): string => {
  const withoutValue = taken.filter((option) => !option.isBoolean() && !hasValue(option, env));
  const [first] = args;
  const only = withoutValue.length === 1 && args.length === 1 ? first : undefined;
  const words = taken.map((option) => {
    const value = hasValue(option, env) ? valueIn(option, env) : only;
    // A key is not repeated, because it would stay on the screen.
    const isShown = !option.isBoolean() && value !== undefined && option.long !== '--api-key';
    return isShown ? `${option.long} ${shellQuoted(value)}` : placeholder(option);
  });
  return words.join(' ');
};

/** Returns `--port PORT` for `--port <port>`. */
const placeholder = ({ flags }: Option): string =>
  flags.replace(/<(.*)>/, (_whole, name: string) => name.toUpperCase());

/** npm has a value for --port=0. Of --port 0 it knows only that there was such an option. */
const hasValue = (option: Option, env: NodeJS.ProcessEnv): boolean =>
  ![undefined, 'true'].includes(valueIn(option, env));
