import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { runProgram } from '../../ops/program.ts';
import manifest from '../../package.json' with { type: 'json' };
import { serve } from '../support/http/serve.ts';
import { petstore } from '../support/ops/petstore.ts';

/** Serves the description of a local run. Returns its URL. */
const describedRun = (): Promise<string> =>
  serve(({ headers }, response) => {
    const origin = `http://${headers.host}`;
    const dynamodb = { endpoint: origin, inventory: 'inventory', apiKeys: 'keys' };
    const baseUrl = `${origin}/staging/v1`;
    response.end(JSON.stringify({ stageName: 'staging', baseUrl, dynamodb }));
  });

const run = (line: string) => petstore(line.split(' ').filter(Boolean));

const help = `\
Usage: petstore [options] [command]

Runs and operates the inventory service.

Options:
  -V, --version    output the version number
  -h, --help       display help for command

Commands:
  start [options]  run the service on this machine, from its synthesized
                   template
  keys             issue, list, find, change, rotate and revoke API keys
  inventory        import and export the stock; look at, change or remove one
                   entry
  help [command]   display help for command

Examples:
  npx --no -- petstore start
  npx --no -- petstore keys create --name shop --expires 90d --local
  npx --no -- petstore inventory import pets.csv --stage staging

Exit codes: 0 done, 1 failed, 2 wrong usage
`;

test.each(['--help', '-h', 'help'])('%s shows the groups and the exit codes', async (line) => {
  expect(await run(line)).toStrictEqual({ code: 0, output: help, errors: '' });
});

test('without a command, the help is on standard error, and an error', async () => {
  expect(await run('')).toStrictEqual({ code: 2, output: '', errors: help });
});

test.each(['keys', 'inventory'])('so is that of the group %s', async (group) => {
  const { output } = await run(`${group} --help`);
  expect(await run(group)).toStrictEqual({ code: 2, output: '', errors: output });
});

test('--version shows the version', async () => {
  const output = `${manifest.version}\n`;
  expect(await run('--version')).toStrictEqual({ code: 0, output, errors: '' });
});

const key = createApiKey('prod');
const shown = 'petstore_prod_…';

test.each([
  { line: 'strat', message: "unknown command 'strat'\n(Did you mean start?)" },
  { line: 'keys lst', message: "unknown command 'lst'\n(Did you mean list?)" },
  { line: 'keys list --jsn', message: "unknown option '--jsn'\n(Did you mean --json?)" },
  { line: 'keys revoke', message: "missing required argument 'id'" },
  { line: 'keys rotate x', message: "required option '--overlap <duration>' not specified" },
  {
    line: 'keys create --local --name',
    message: "option '--name <name>' argument missing",
  },
  {
    line: 'keys list a b',
    message: "too many arguments for 'list'. Expected 0 arguments but got 2: a, b.",
  },
  // Whatever is typed in the wrong place, no key gets into a log, and no character is obeyed.
  { line: `keys ${key}`, message: `unknown command '${shown}'` },
  { line: key, message: `unknown command '${shown}'` },
  {
    line: `keys list ${key} --local`,
    message: `too many arguments for 'list'. Expected 0 arguments but got 1: ${shown}`,
  },
  {
    line: `keys revoke a ${key} --local`,
    message: `too many arguments for 'revoke'. Expected 1 argument but got 2: a, ${shown}`,
  },
  { line: `--${key}`, message: `unknown option '--${shown}'` },
  { line: `keys list --${key.replace(/.{9}$/, '=$&')}`, message: `unknown option '--${shown}'` },
  {
    line: `keys list --port ${key}`,
    message: `option '--port <port>' argument '${shown}' is invalid. A port is an integer from 0 to 65535.`,
  },
  {
    line: 'keys \u001b[2J\u202e\u200b',
    message: "unknown command '\\u001b[2J\\u202e\\u200b'",
  },
])('$line is a usage error', async ({ line, message }) => {
  expect(await run(line)).toStrictEqual({
    code: 2,
    output: '',
    errors: `error: ${message}\n(--help shows how it is used)\n`,
  });
});

test('with --json, an error is one JSON object on the last line of standard error', async () => {
  expect(await run('keys list --json')).toStrictEqual({
    code: 2,
    output: '',
    errors: '{"error":{"message":"Choose a target: --stage staging, --stage prod or --local."}}\n',
  });
});

test('help that nobody reads to its end is no error; help that a full disk loses is', async () => {
  expect(await petstore(['--help'], { fails: 'EPIPE' })).toStrictEqual({
    code: 0,
    output: '',
    errors: '',
  });
  expect(await petstore(['--help'], { fails: 'ENOSPC' })).toStrictEqual({
    code: 1,
    output: '',
    errors: 'petstore: ENOSPC: no space left on device\n',
  });
});

test('a connection that breaks is no reader who has left', async () => {
  // As the SDK throws it after its last attempt.
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', $metadata: {} });
  const stdin = new Readable({ read: () => stdin.destroy(broken) });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const streams = { stdin, stdout: new PassThrough(), stderr, env: {} };
  const { port } = new URL(await describedRun());
  expect(await runProgram(['keys', 'find', '--local', '--port', port], streams)).toBe(1);
  expect(stderr.read()).toBe(
    `Stage: staging of the local run at http://127.0.0.1:${port}/staging/v1\n` +
      'petstore: write EPIPE\n',
  );
});

test('help is as wide as the terminal', async () => {
  const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { columns: 100 });
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  expect(await runProgram(['--help'], { stdin, stdout, stderr, env: {} })).toBe(0);
  expect(stdout.read()).toContain(
    '  start [options]  run the service on this machine, from its synthesized template\n',
  );
});

test('petstore ends as it would although nobody reads standard error any more', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  expect(await runProgram(['keys'], { stdin, stdout, stderr, env: {} })).toBe(2);
});
