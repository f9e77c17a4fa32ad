import { PassThrough, Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { pages } from '../../ops/cli/pages.ts';
import type { Terminal } from '../../ops/cli/terminal.ts';
import { petstore, runProgram } from '../../ops/program.ts';
import { ops } from '../support/ops/ops.ts';

const run = (line: string, ...more: string[]) => ops([...line.split(' '), ...more].filter(Boolean));

const { commands } = petstore({} as Terminal);
const paths = commands.flatMap((group) => [
  group.name(),
  ...group.commands.map((command) => `${group.name()} ${command.name()}`),
]);

test.each(['--help', '-h', 'help'])('%s shows the exit codes', async (line) => {
  const output = expect.stringMatching(
    /^Usage: npx --no -- petstore .*Exit codes: 0 done, .* 130 interrupted\n$/s,
  );
  expect(await run(line)).toEqual({ code: 0, output, errors: '' });
});

test.each([
  { line: 'help keys', path: 'keys' },
  { line: 'keys help', path: 'keys' },
  { line: 'keys -h', path: 'keys' },
  { line: 'keys help create', path: 'keys create' },
  { line: 'keys create --name x --help', path: 'keys create' },
  { line: 'help start', path: 'start' },
])('$line shows the help of $path', async ({ line, path }) => {
  const output = expect.stringMatching(new RegExp(`^Usage: npx --no -- petstore ${path} \\[`));
  expect(await run(line)).toEqual({ code: 0, output, errors: '' });
});

test('a group lists its help command', async () => {
  expect((await run('help')).output).toMatch(/^ {2}help \[command\]/m);
  expect((await run('help keys')).output).toMatch(/^ {2}help \[command\]/m);
});

test.each(paths)('%s --help has examples', async (path) => {
  const output = expect.stringMatching(
    new RegExp(`\\nExamples:\\n {2}npx --no -- petstore ${path}`),
  );
  expect(await run(path, '--help')).toEqual({ code: 0, output, errors: '' });
});

test('release --help says what it reads and needs, and where more is written', async () => {
  const { output } = await run('release --help');
  const [environment, permissions, page] = output.trimEnd().split('\n\n').slice(-3);
  expect(environment).toMatch(/^Environment: AWS credentials and region; /);
  expect(permissions).toMatch(/^Permissions on a deployed stage: sts:AssumeRole /);
  expect(page).toBe(`More: ${pages.release}`);
});

/**
 * Expects this usage error in text and in JSON. PETSTORE_STAGE must not stand in for an option that
 * is missing.
 */
const expectWrongUsage = async (words: string[], message: string, command: string) => {
  const env = { PETSTORE_STAGE: 'staging' };
  const hint = command ? `Help: npx --no -- petstore ${command} --help` : null;
  const text = {
    code: 2,
    output: '',
    errors: `petstore: ${message.replace('\u001b', '\\u001b')}\n${hint ? `${hint}\n` : ''}`,
  };
  expect(await ops(words, { env })).toEqual(text);
  const json = `${JSON.stringify({ error: { code: 'usage', message, hint } })}\n`;
  expect(await ops([...words, '--json'], { env })).toEqual({ ...text, errors: json });
};

const conflict = (option: string, other: string) =>
  `Option '${option}' cannot be used with option '${other}'.`;
const noKey = 'An API key is needed: --api-key, or the environment variable ACCEPTANCE_API_KEY.';

test.each([
  ['keys lst', "Unknown command 'lst'.\n(Did you mean list?)", 'keys'],
  ['keys create', "Required option '--name <name>' not specified.", 'keys create'],
  ['keys list --jsn', "Unknown option '--jsn'.\n(Did you mean --json?)", 'keys list'],
  ['keys revoke', "Missing required argument 'id'.", 'keys revoke'],
  ['keys list x', "Too many arguments for 'list'. Expected 0 arguments but got 1: x.", 'keys list'],
  ['keys update x', 'Say what to change: --name, --expires or both.', ''],
  ['start --dynamodb http://x --data x', conflict('--dynamodb <url>', '--data <dir>'), 'start'],
  ['acceptance', 'Say what to check: --base-url URL, or --local.', ''],
  [
    'acceptance --local --base-url http://127.0.0.1:59/staging/v1',
    conflict('--local', '--base-url <url>'),
    'acceptance',
  ],
  ['acceptance --base-url http://127.0.0.1:59/staging/v1', noKey, ''],
  ['acceptance --base-url http://127.0.0.1:59/staging/v1 --api-key é', noKey, ''],
])('%s is a usage error', (line, message, command) =>
  expectWrongUsage(line.split(' '), message, command),
);

const ports = 'It must be a number from 0 to 65535.';
const stages = 'Allowed choices are staging, prod.';
const urls =
  'It must be the BaseUrl that the deployment printed: ' +
  'https://API_ID.execute-api.REGION.amazonaws.com/STAGE/v1, or https://DOMAIN/v1 for a ' +
  'customDomain. That of a local run is http://127.0.0.1:PORT/STAGE/v1.';
const times =
  'Write a duration such as 90d, a date such as 2027-01-31, ' +
  'or a time such as 2027-01-31T12:00:00Z.';
const names =
  'It must have 1 to 64 letters, digits, symbols or spaces, on one line, and not begin with --.';

test.each([
  ['keys list', '--port <port>', 'http', ports],
  ['keys list', '--stage <stage>', 'local', stages],
  ['keys create', '--expires <when>', '2026-01-15T08:00:00Z', 'It must be in the future.'],
  ['keys create', '--expires <when>', 'never', times],
  ['keys update', '--expires <when>', 'tomorrow', times],
  ['keys update', '--expires <when>', '2999-02-29', times],
  ['keys rotate', '--expires <when>', '2999-04-30T25:00Z', times],
  ['keys rotate', '--overlap <duration>', '0d', 'Write a duration such as 30m, 24h or 90d.'],
  ['keys create', '--name <name>', ' ', names],
  ['keys create', '--name <name>', 'two\nlines', names],
  ['keys create', '--name <name>', '--local', names],
  ['keys update', '--name <name>', '\u001b[31mred', names],
  ['keys update', '--name <name>', 'x'.repeat(65), names],
  ['inventory export', '--out <file>', '--local', 'It must be a path.'],
  ['start', '--data <dir>', '', 'It must be a path.'],
  ['release', '--app <dir>', '', 'It must be a path.'],
  ['start', '--port <port>', '65536', ports],
  ['start', '--stage <stage>', 'production', stages],
  ['start', '--log-format <format>', 'x', 'Allowed choices are text, json.'],
  ['start', '--dynamodb <url>', '80', 'It must be an http or https URL.'],
  ['acceptance', '--base-url <url>', 'a/v1', urls],
  ['acceptance', '--base-url <url>', 'http://a/prod', urls],
])('%s %s rejects %j', (command, option, value, reason) => {
  const [name = ''] = option.split(' ');
  const message = `Option '${option}' argument '${value}' is invalid. ${reason}`;
  return expectWrongUsage([...command.split(' '), name, value], message, command);
});

test.each(['', ' keys'])(
  'npx --no -- petstore%s without a command shows its help, and is a usage error',
  async (group) => {
    const end = `\npetstore: No command was given.\nHelp: npx --no -- petstore${group} --help\n`;
    const errors = expect.stringMatching(
      new RegExp(`^Usage: npx --no -- petstore${group} .*${RegExp.escape(end)}$`, 's'),
    );
    expect(await run(group)).toEqual({ code: 2, output: '', errors });
  },
);

test('with --json, the last line of standard error is one object without a key', async () => {
  const key = createApiKey('prod');
  const { errors, ...rest } = await run('keys', key, '--json', '--verbose');
  expect(rest).toEqual({ code: 2, output: '' });
  const lines = errors.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  const [message, hint] = [
    "Unknown command 'petstore_prod_…'.",
    'Help: npx --no -- petstore keys --help',
  ];
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ error: { code: 'usage', message, hint } });
  expect(errors).not.toContain(key.slice(-10));
});

test.each([
  { env: {}, onTerminal: true, hasColors: true },
  { env: { NO_COLOR: '1' }, onTerminal: true, hasColors: false },
  { env: { NO_COLOR: '' }, onTerminal: true, hasColors: true },
  { env: { TERM: 'dumb' }, onTerminal: true, hasColors: false },
  { env: { FORCE_COLOR: '1' }, onTerminal: false, hasColors: false },
])('with $env, on a terminal: $onTerminal, petstore uses colors: $hasColors', async (row) => {
  const { env, onTerminal, hasColors } = row;
  const name = hasColors ? '\u001b[31mpetstore:\u001b[39m' : 'petstore:';
  const errors = `${name} There is no local run.\nStart one: npx --no -- petstore start\n`;
  expect(await ops(['keys', 'list', '--local'], { env, onTerminal })).toEqual({
    code: 6,
    output: '',
    errors,
  });
  const { output } = await ops(['keys', '--help'], { env, onTerminal });
  expect(output.includes('\u001b[1mUsage:')).toBe(hasColors);
});

test('petstore goes on when nobody reads standard error any more', async () => {
  const { signal } = new AbortController();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  expect(await runProgram(['keys'], { stdin, stdout, stderr, env: {}, signal })).toBe(2);
});
