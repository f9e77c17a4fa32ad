import { PassThrough, Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { pageLink } from '../../infra/settings/page-link.ts';
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

/** Where each command, or group of commands, is described. */
const pageOf: Record<string, string> = {
  start: 'docs/local-run.md',
  keys: 'docs/keys.md',
  inventory: 'docs/stock-and-recovery.md',
  acceptance: 'docs/deploy.md#first-deployment',
  release: 'docs/deploy.md#release',
};

test.each(paths)('%s --help has examples, and says where more is written', async (path) => {
  const page = RegExp.escape(pageLink(pageOf[path.split(' ')[0] ?? ''] ?? ''));
  const output = expect.stringMatching(
    new RegExp(`\\nExamples:\\n {2}npx --no -- petstore ${path}.*\\n\\nMore: ${page}\\n`, 's'),
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

/** PETSTORE_STAGE must not stand in for an option that is missing. */
const env = { PETSTORE_STAGE: 'staging' };

const conflict = (option: string, other: string) =>
  `Option '${option}' cannot be used with option '${other}'.`;
const noKey = 'An API key is needed: --api-key, or the environment variable ACCEPTANCE_API_KEY.';

test.each([
  { line: 'keys lst', message: "Unknown command 'lst'.\n(Did you mean list?)", help: 'keys' },
  {
    line: 'keys create',
    message: "Required option '--name <name>' not specified.",
    help: 'keys create',
  },
  {
    line: 'keys list --jsn',
    message: "Unknown option '--jsn'.\n(Did you mean --json?)",
    help: 'keys list',
  },
  { line: 'keys revoke', message: "Missing required argument 'id'.", help: 'keys revoke' },
  {
    line: 'keys list x',
    message: "Too many arguments for 'list'. Expected 0 arguments but got 1: x.",
    help: 'keys list',
  },
  {
    line: 'start --dynamodb http://x --data x',
    message: conflict('--dynamodb <url>', '--data <dir>'),
    help: 'start',
  },
  {
    line: 'start --dynamodb https://x --data x',
    message: conflict('--dynamodb <url>', '--data <dir>'),
    help: 'start',
  },
  {
    line: 'acceptance --local --base-url http://127.0.0.1:59/staging/v1',
    message: conflict('--local', '--base-url <url>'),
    help: 'acceptance',
  },
])('$line is a usage error that names the help', async ({ line, message, help }) => {
  expect(await ops(line.split(' '), { env })).toEqual({
    code: 2,
    output: '',
    errors: `petstore: ${message}\nHelp: npx --no -- petstore ${help} --help\n`,
  });
});

test.each([
  { line: 'keys update x', message: 'Say what to change: --name, --expires or both.' },
  { line: 'acceptance', message: 'Say what to check: --base-url URL, or --local.' },
  { line: 'acceptance --base-url http://127.0.0.1:59/staging/v1', message: noKey },
  { line: 'acceptance --base-url http://127.0.0.1:59/staging/v1 --api-key é', message: noKey },
])('$line is a usage error that says what to do', async ({ line, message }) => {
  expect(await ops(line.split(' '), { env })).toEqual({
    code: 2,
    output: '',
    errors: `petstore: ${message}\n`,
  });
});

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
  { command: 'keys list', option: '--port <port>', value: 'http', reason: ports },
  { command: 'start', option: '--port <port>', value: '65536', reason: ports },
  { command: 'keys list', option: '--stage <stage>', value: 'local', reason: stages },
  { command: 'start', option: '--stage <stage>', value: 'production', reason: stages },
  {
    command: 'keys create',
    option: '--expires <when>',
    value: '2026-01-15T08:00:00Z',
    reason: 'It must be in the future.',
  },
  { command: 'keys create', option: '--expires <when>', value: 'never', reason: times },
  { command: 'keys update', option: '--expires <when>', value: '2999-02-29', reason: times },
  { command: 'keys rotate', option: '--expires <when>', value: '2999-04-30T25:00Z', reason: times },
  {
    command: 'keys rotate',
    option: '--overlap <duration>',
    value: '0d',
    reason: 'Write a duration such as 30m, 24h or 90d.',
  },
  { command: 'keys create', option: '--name <name>', value: ' ', reason: names },
  { command: 'keys create', option: '--name <name>', value: 'two\nlines', reason: names },
  { command: 'keys create', option: '--name <name>', value: '--local', reason: names },
  { command: 'keys update', option: '--name <name>', value: '\u001b[31mred', reason: names },
  { command: 'keys update', option: '--name <name>', value: 'x'.repeat(65), reason: names },
  {
    command: 'inventory export',
    option: '--out <file>',
    value: '--local',
    reason: 'It must be a path.',
  },
  { command: 'start', option: '--data <dir>', value: '', reason: 'It must be a path.' },
  { command: 'release', option: '--app <dir>', value: '', reason: 'It must be a path.' },
  {
    command: 'start',
    option: '--log-format <format>',
    value: 'x',
    reason: 'Allowed choices are text, json.',
  },
  {
    command: 'start',
    option: '--dynamodb <url>',
    value: '80',
    reason: 'It must be an http or https URL.',
  },
  { command: 'acceptance', option: '--base-url <url>', value: 'http://a/prod', reason: urls },
])('$command $option rejects "$value"', async ({ command, option, value, reason }) => {
  const [name = ''] = option.split(' ');
  const escaped = value.replace('\u001b', '\\u001b');
  expect(await ops([...command.split(' '), name, value], { env })).toEqual({
    code: 2,
    output: '',
    errors:
      `petstore: Option '${option}' argument '${escaped}' is invalid. ${reason}\n` +
      `Help: npx --no -- petstore ${command} --help\n`,
  });
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

const failing = (code: string) =>
  new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });

test.each([
  { trouble: 'no reader', error: 'EPIPE', exitCode: 0, errors: null },
  {
    trouble: 'a full disk',
    error: 'ENOSPC',
    exitCode: 1,
    errors:
      '{"error":{"code":"unexpected","message":"Cannot write to standard output: write ENOSPC.",' +
      '"hint":null}}\n',
  },
])('with $trouble, a command exits with $exitCode', async ({ error, exitCode, errors }) => {
  const [stdin, stderr] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const { signal } = new AbortController();
  const terminal = { stdin, stdout: failing(error), stderr, env: {}, signal };
  expect(await runProgram(['keys', '--json', '--help'], terminal)).toBe(exitCode);
  expect(stderr.read()).toBe(errors);
});

test('petstore goes on when nobody reads standard error any more', async () => {
  const { signal } = new AbortController();
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = failing('EPIPE');
  expect(await runProgram(['keys'], { stdin, stdout, stderr, env: {}, signal })).toBe(2);
});
