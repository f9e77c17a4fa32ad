import { describe, expect, test } from '@jest/globals';
import { ops } from '../../support/ops.ts';

const commands = [
  'keys create',
  'keys list',
  'keys rotate',
  'keys revoke',
  'inventory import',
  'inventory resume',
  'inventory export',
  'inventory set-status',
  'inventory remove',
];

describe('ops', () => {
  test.each(['', 'keys', 'inventory', ...commands])('%s --help has examples', async (command) => {
    const { code, output, errors } = await ops([...command.split(' ').filter(Boolean), '--help']);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain(`\n  npm run ops -- ${command}`);
    for (const option of commands.includes(command) ? ['--stage', '--local', '--json', '--verbose'] : []) {
      expect(output).toContain(option);
    }
  });

  test('--help states the exit codes', async () => {
    expect((await ops(['--help'])).output).toMatch(/Exit codes: 0 done, .* 130 interrupted\n/s);
  });

  test.each([
    [['keys', 'list'], 'Say where: --stage staging, --stage prod or --local.'],
    [['keys', 'list', '--local', '--stage', 'prod'], "option '--local' cannot be used with option '--stage <stage>'"],
    [
      ['keys', 'list', '--stage', 'production'],
      "option '--stage <stage>' argument 'production' is invalid. Allowed choices are staging, prod.",
    ],
    [['keys', 'create', '--local'], "required option '--name <name>' not specified"],
    [['keys', 'revoke', '--local'], "missing required argument 'id'"],
    [['keys', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['inventory', 'import', 'x.csv', '--dry', '--local'], "unknown option '--dry'"],
  ])('refuses %j', async (options, reason) => {
    expect(await ops(options)).toEqual({ code: 2, output: '', errors: `ops: ${reason}\n` });
  });
});
