import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import manifest from '../../package.json' with { type: 'json' };
import { type LocalRun, localRun } from '../support/local-run.ts';
import { ops } from '../support/ops.ts';

/** The commands that the help of a program or a group names. */
const commandsIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}([a-z][\w-]*) .*[a-z]/gm)].map(([, name = '']) => name);

const helpOf = async (...command: string[]) => {
  const { code, output, errors } = await ops([...command, '--help']);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output;
};

describe('petstore', () => {
  test('--help names every command and the exit codes', async () => {
    const help = await helpOf();
    expect(commandsIn(help.slice(0, help.indexOf('Examples')))).toEqual(
      expect.arrayContaining(['start', 'keys', 'inventory']),
    );
    expect(help).toMatch(/Exit codes: 0 done, .* 130 interrupted\n/s);
  });

  test.each(['keys', 'inventory'])('%s --help, and that of each of its commands, has examples', async (group) => {
    const help = await helpOf(group);
    expect(help).toContain(`\n  npx petstore ${group} `);
    const commands = commandsIn(help.slice(help.indexOf('Commands:'), help.indexOf('Example')));
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) {
      const text = await helpOf(group, command);
      for (const part of [`\n  npx petstore ${group} ${command}`, '--stage', '--local', '--json', '--verbose']) {
        expect(text).toContain(part);
      }
    }
  });

  test.each(['--version', '-V'])('%s prints the version alone', async (option) => {
    expect(await ops([option])).toEqual({ code: 0, output: `${manifest.version}\n`, errors: '' });
  });

  const wrong: [string[], string, string][] = [
    [['lst'], "unknown command 'lst'\n(Did you mean list?)", 'keys'],
    [['revoke', '--local'], "missing required argument 'id'", 'keys revoke'],
    [['create', '--local'], "required option '--name <name>' not specified", 'keys create'],
    [['list', '--lcal'], "unknown option '--lcal'\n(Did you mean --local?)", 'keys list'],
    [['list', 'all', '--local'], "too many arguments for 'list'. Expected 0 arguments but got 1: all.", 'keys list'],
    [
      ['list', '--local', '--port', 'http'],
      "option '--port <port>' argument 'http' is invalid. It must be a number from 0 to 65535.",
      'keys list',
    ],
    [
      ['list', '--local', '--stage', 'prod'],
      "option '--local' cannot be used with option '--stage <stage>'",
      'keys list',
    ],
    [['list'], 'Choose a target: --stage staging, --stage prod or --local.', ''],
  ];

  test.each(wrong)('keys %j is wrong usage', async (options, message, command) => {
    const hint = command ? `Help: npx petstore ${command} --help` : null;
    expect(await ops(['keys', ...options])).toEqual({
      code: 2,
      output: '',
      errors: `petstore: ${message}\n${hint ? `${hint}\n` : ''}`,
    });
    const { code, output, errors } = await ops(['keys', ...options, '--json']);
    expect({ code, output, error: JSON.parse(errors) }).toEqual({
      code: 2,
      output: '',
      error: { error: { code: 'usage', message, hint } },
    });
  });

  test.each([['keys', 'find'], ['keys'], []])(
    'prints no key that is given where none belongs: %s %s',
    async (...command) => {
      const key = createApiKey('prod');
      for (const more of [[], ['--json', '--verbose']]) {
        const { code, errors } = await ops([...command, key, ...more]);
        expect(code).toBe(2);
        expect(errors).toContain('petstore_prod_…');
        expect(errors).not.toContain(key.slice(-10));
      }
    },
  );

  test.each([[[]], [['keys']]])('%j alone shows the help, and is wrong usage', async (argv) => {
    const { code, output, errors } = await ops(argv);
    const command = ['npx petstore', ...argv].join(' ');
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(
      new RegExp(`^Usage: ${command} .*\\npetstore: No command was given\\.\\nHelp: ${command} --help\\n$`, 's'),
    );
  });

  test('errors of start are text, because --json is about its logs', async () => {
    expect(await ops(['start', '--json', '--port', 'http'])).toEqual({
      code: 2,
      output: '',
      errors:
        "petstore: option '--port <port>' argument 'http' is invalid. It must be a number from 0 to 65535.\n" +
        'Help: npx petstore start --help\n',
    });
  });

  test.each([
    [{}, true, true],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, false],
  ])('with %j, on a terminal (%p), has colours: %p', async (env, onTerminal, coloured) => {
    const { errors } = await ops(['keys', 'list'], { env, onTerminal });
    expect(errors.startsWith('\u001b[31mpetstore:\u001b[39m ')).toBe(coloured);
    const { output } = await ops(['keys', '--help'], { env, onTerminal });
    expect(output.includes('\u001b[')).toBe(coloured);
    expect(output).toContain('Usage:');
  });

  describe('with --json', () => {
    let run: LocalRun;
    beforeAll(async () => {
      run = await localRun();
    });

    test('ends its errors with one object', async () => {
      const { code, output, errors } = await ops(['keys', 'show', 'x', '--local', '--json', '--verbose']);
      expect({ code, output }).toEqual({ code: 5, output: '' });
      const [stage, ...lines] = errors.trimEnd().split('\n');
      expect(stage).toContain(run.baseUrl);
      expect(lines.length).toBeGreaterThan(1);
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
        error: {
          code: 'not_found',
          message: 'No key has this ID.',
          hint: 'The IDs are in: npx petstore keys list --local',
        },
      });
    });

    test('prints one value', async () => {
      const { output } = await ops(['keys', 'list', '--local', '--json']);
      expect(output.split('\n')).toHaveLength(2);
      expect(JSON.parse(output)).toHaveLength(1);
    });
  });
});
