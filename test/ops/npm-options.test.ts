import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { refuseOptionsTakenByNpm } from '../../ops/npm-options.ts';

/** Runs a command with options like those of `petstore start`. Returns its error; empty if none. */
const errorOf = (words: string[], env: NodeJS.ProcessEnv): string => {
  const errors: string[] = [];
  const program = new Command('petstore')
    .exitOverride()
    .configureOutput({ writeErr: (text) => errors.push(text) })
    .hook('preSubcommand', (_program, command) => refuseOptionsTakenByNpm(command, env));
  const start = program.command('start').option('--data <dir>').option('--api-key <key>');
  start.option('--watch').action(() => {});
  try {
    program.parse(words, { from: 'user' });
  } catch {
    // Its message has been written.
  }
  return errors.join('');
};

const refused = (names: string, usage: string): string =>
  `error: npm took ${names} for itself. Options come after --, as in: npm start -- ${usage}\n`;

const npmStart = { npm_lifecycle_event: 'start', npm_config_json: 'true', npm_config_yes: '' };

test.each([
  { typed: '--no-watch', env: { npm_config_watch: '' }, error: refused('--watch', '--watch') },
  {
    typed: '--watch --api-key=petstore_prod_0123',
    env: { npm_config_watch: 'true', npm_config_api_key: 'petstore_prod_0123' },
    error: refused('--api-key and --watch', '--api-key <key> --watch'),
  },
])('npm start $typed is refused, without its value', ({ env, error }) => {
  expect(errorOf(['start'], { ...npmStart, ...env })).toBe(error);
});

test('npm start --data DIR is refused for the option, not for the word that npm passes on', () => {
  const env = { ...npmStart, npm_config_data: 'true' };
  expect(errorOf(['start', 'DIR'], env)).toBe(refused('--data', '--data <dir>'));
});

test.each([
  { what: 'only npm’s own options', words: ['start'], env: npmStart },
  {
    what: 'an option that is given after -- as well',
    words: ['start', '--data', 'DIR'],
    env: { ...npmStart, npm_config_data: 'OTHER' },
  },
  {
    what: 'an option that is given after -- with =',
    words: ['start', '--data=DIR'],
    env: { ...npmStart, npm_config_data: 'OTHER' },
  },
  {
    what: 'a variable of the user’s shell, in npx',
    words: ['start'],
    env: { npm_lifecycle_event: 'npx', npm_config_data: 'DIR' },
  },
  {
    what: 'a variable of the user’s shell, without npm',
    words: ['start'],
    env: { npm_config_data: 'DIR' },
  },
])('$what does not stop a start', ({ words, env }) => {
  expect(errorOf(words, env)).toBe('');
});
