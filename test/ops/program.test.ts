import { expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore } from '../../ops/program.ts';
import { ops } from '../support/ops.ts';

const run = (line: string, ...more: string[]) => ops([...line.split(' '), ...more].filter(Boolean));

const { commands } = petstore({} as Terminal);
const paths = commands.flatMap((group) => [
  group.name(),
  ...group.commands.map((command) => `${group.name()} ${command.name()}`),
]);

test('--help ends with the exit codes', async () => {
  const output = expect.stringMatching(/^Usage: npx petstore .*Exit codes: 0 done, .* 130 interrupted\n$/s);
  expect(await run('--help')).toEqual({ code: 0, output, errors: '' });
});

test.each(paths)('%s --help has examples', async (path) => {
  const { output, ...rest } = await run(path, '--help');
  expect(rest).toEqual({ code: 0, errors: '' });
  expect(output).toContain(`\n  npx petstore ${path}`);
  for (const option of path.includes(' ') ? ['--stage', '--local', '--json', '--verbose'] : []) {
    expect(output).toContain(option);
  }
});

const invalid = (option: string, value: string, reason: string) =>
  `option '${option}' argument '${value}' is invalid. ${reason}`;
const port = (value: string) => invalid('--port <port>', value, 'It must be a number from 0 to 65535.');
const stage = (value: string) => invalid('--stage <stage>', value, 'Allowed choices are staging, prod.');
const dynamodb = '--dynamodb <url>';

test.each([
  ['keys lst', "unknown command 'lst'\n(Did you mean list?)", 'keys'],
  ['keys create --local', "required option '--name <name>' not specified", 'keys create'],
  ['keys list --local --port http', port('http'), 'keys list'],
  ['keys list --stage x', stage('x'), 'keys list'],
  ['keys list --local --stage prod', "option '--local' cannot be used with option '--stage <stage>'", 'keys list'],
  ['keys update x --local', 'Say what to change: --name, --expires or both.', ''],
  ['start --port 65536', port('65536'), 'start'],
  ['start --stage production', stage('production'), 'start'],
  ['start --log-format x', invalid('--log-format <format>', 'x', 'Allowed choices are text, json.'), 'start'],
  ['start --dynamodb 80', invalid(dynamodb, '80', 'It must be an http or https URL.'), 'start'],
  ['start --dynamodb http://x --data x', `option '${dynamodb}' cannot be used with option '--data <dir>'`, 'start'],
])('%s is wrong usage', async (line, message, command) => {
  const hint = command ? `Help: npx petstore ${command} --help` : null;
  const text = { code: 2, output: '', errors: `petstore: ${message}\n${hint ? `${hint}\n` : ''}` };
  expect(await run(line)).toEqual(text);
  const error = { code: 'usage', message, hint };
  // With start, it is about the logs.
  const json = command === 'start' ? text : { ...text, errors: `${JSON.stringify({ error })}\n` };
  expect(await run(line, '--json')).toEqual(json);
});

test.each(['', ' keys'])('no command at all shows the help of npx petstore%s, and is wrong usage', async (group) => {
  const { errors, ...rest } = await run(group);
  expect(rest).toEqual({ code: 2, output: '' });
  expect(errors).toMatch(new RegExp(`^Usage: npx petstore${group} .*`, 's'));
  expect(errors).toContain(`\npetstore: No command was given.\nHelp: npx petstore${group} --help\n`);
});

test('prints no key that is given where none belongs', async () => {
  const key = createApiKey('prod');
  for (const more of [[], ['--json', '--verbose']]) {
    const { code, errors } = await run('keys', key, ...more);
    expect(code).toBe(2);
    expect(errors).toContain('petstore_prod_…');
    expect(errors).not.toContain(key.slice(-10));
  }
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
  expect(output.includes('\u001b[1mUsage:')).toBe(coloured);
});

test('with --json, the last line of the errors is one object, whatever --verbose adds', async () => {
  const { errors, ...rest } = await run('keys list --local --json --verbose');
  expect(rest).toEqual({ code: 6, output: '' });
  const lines = errors.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    error: { code: 'unavailable', message: 'There is no local run.', hint: 'Start one: npx petstore start' },
  });
});
