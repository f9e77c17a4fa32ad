import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import { functionSpecs } from '../../../infra/service/operations.ts';
import { stageNames } from '../../../infra/settings/stage-names.ts';
import { listen } from '../../../local/shared/local-server.ts';
import { banner } from '../../../ops/start/banner.ts';
import { runKey } from '../../../ops/start/run-key.ts';
import { addStartCommand } from '../../../ops/start/start-command.ts';
import { serve } from '../../support/http/serve.ts';
import { keysStage, now, shop } from '../../support/ops/keys.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { atEnd } from '../../support/process/at-end.ts';

const started = {
  stageName: 'staging',
  baseUrl: 'http://127.0.0.1:3000/staging/v1',
  apiKey: 'petstore_staging_4be1',
  isGivenKey: false,
  inspectPorts: {},
  env: { no_proxy: 'example.com', http_proxy: '' },
};

test('start prints everything that clients need, to paste', () => {
  expect(banner(started)).toBe(`\
Petstore inventory (staging) is running. Press Ctrl-C to stop.

Base URL: http://127.0.0.1:3000/staging/v1
API key: petstore_staging_4be1
API reference: http://127.0.0.1:3000/#key=petstore_staging_4be1

For a second terminal:
export PETSTORE_BASE_URL=http://127.0.0.1:3000/staging/v1 PETSTORE_API_KEY=petstore_staging_4be1

Try it:
curl -H "Authorization: Bearer petstore_staging_4be1" http://127.0.0.1:3000/staging/v1/inventory

`);
});

test.each([
  { env: { http_proxy: 'http://proxy.example' }, isProxied: true },
  { env: { ALL_PROXY: 'http://proxy.example', no_proxy: 'example.com' }, isProxied: true },
  {
    env: { http_proxy: 'http://proxy.example', NO_PROXY: 'localhost, 127.0.0.1' },
    isProxied: false,
  },
  { env: { HTTPS_PROXY: 'http://proxy.example' }, isProxied: false },
])('with $env, what is to be pasted avoids the proxy: $isProxied', ({ env, isProxied }) => {
  const printed = banner({ ...started, env });
  expect(printed.includes(' no_proxy="127.0.0.1,$no_proxy,$NO_PROXY"\n')).toBe(isProxied);
  expect(printed.includes('curl --noproxy 127.0.0.1 -H')).toBe(isProxied);
});

test('start with a closed output needs a key, because a new one would be printed nowhere', async () => {
  const engine = 'http://127.0.0.1:1';
  const start = (...options: string[]) =>
    petstore(['start', '--dynamodb', engine, ...options], { isClosed: true });
  expect((await start()).errors).toMatch(/^petstore: Standard output is closed or leads nowhere/);
  expect((await start('--api-key', createApiKey('staging'))).errors).toContain(engine);
});

test('a key that was given is printed nowhere, and debuggers learn their ports', () => {
  const inspectPorts = { Authorizer: 9229, ListInventory: 9230, UpdateInventory: 9231 };
  expect(banner({ ...started, isGivenKey: true, inspectPorts })).toBe(`\
Petstore inventory (staging) is running. Press Ctrl-C to stop.

Base URL: http://127.0.0.1:3000/staging/v1
API key: the one given with --api-key
API reference: http://127.0.0.1:3000/
Debugger for Authorizer: 127.0.0.1:9229
Debugger for ListInventory: 127.0.0.1:9230
Debugger for UpdateInventory: 127.0.0.1:9231

For a second terminal, which also needs PETSTORE_API_KEY:
export PETSTORE_BASE_URL=http://127.0.0.1:3000/staging/v1

Try it:
curl -H "Authorization: Bearer $PETSTORE_API_KEY" http://127.0.0.1:3000/staging/v1/inventory

`);
});

test('VS Code attaches to each function at the port that --inspect gives it by default', () => {
  const { options } = addStartCommand(new Command(), process);
  const firstPort = Number(options.find(({ long }) => long === '--inspect')?.presetArg);
  const { configurations } = JSON.parse(readFileSync('.vscode/launch.json', 'utf8')) as {
    configurations: { request: string; name: string; port: number }[];
  };
  const attached = configurations.filter(({ request }) => request === 'attach');
  expect(attached.map(({ name, port }) => ({ name, port }))).toStrictEqual(
    functionSpecs.map(({ name }, index) => ({ name, port: firstPort + index })),
  );
});

const engine = 'It must be a URL, such as http://localhost:8000.';

test.each([
  {
    words: ['--port='],
    error: "option '--port <port>' argument '' is invalid. A port is an integer from 0 to 65535.",
  },
  {
    words: ['--inspect', '65535'],
    error:
      "option '--inspect [port]' argument '65535' is invalid. " +
      `It can be at most ${65_536 - functionSpecs.length}.`,
  },
  {
    words: ['--inspect', '--watch'],
    error: "option '--inspect [port]' cannot be used with option '--watch'",
  },
  {
    words: ['--data', ''],
    error: "option '--data <dir>' argument '' is invalid. It must be a directory.",
  },
  ...['localhost:8000', ''].map((url) => ({
    words: ['--dynamodb', url],
    error: `option '--dynamodb <url>' argument '${url}' is invalid. ${engine}`,
  })),
  {
    words: ['--dynamodb', 'http://localhost:8000', '--data', 'x'],
    error: "option '--dynamodb <url>' cannot be used with option '--data <dir>'",
  },
  {
    words: ['--stage', 'nowhere'],
    error: `option '--stage <stage>' argument 'nowhere' is invalid. Allowed choices are ${stageNames.join(', ')}.`,
  },
  ...['', 'another secret', createApiKey('prod')].map((key) => ({
    words: ['--api-key', key],
    error: "--api-key isn't a staging key.",
  })),
  {
    words: ['--stage', 'prod', '--api-key', createApiKey('staging')],
    error: "--api-key isn't a prod key.",
  },
])('start $words is wrong usage, of which one sentence tells', async ({ words, error }) => {
  expect(await petstore(['start', '--port', '0', ...words])).toStrictEqual({
    code: 2,
    output: '',
    errors: `error: ${error}\n(for usage, add --help)\n`,
  });
});

const { port: busyPort, close } = await listen(createServer());
atEnd(close);
const other = await serve((_request, response) => {
  response.writeHead(400).end('{"__type":"x#UnknownOperation","message":"No such operation."}');
});

test.each([
  {
    what: 'its port is in use',
    words: ['--port', String(busyPort)],
    message: `Port ${busyPort} is in use. Choose another with --port; 0 picks a free one.`,
  },
  {
    what: 'the port of a debugger is in use',
    words: ['--inspect', String(busyPort)],
    message:
      'Debuggers cannot attach to Authorizer: listen EADDRINUSE: ' +
      `address already in use 127.0.0.1:${busyPort}. Choose another port with --inspect; 0 picks free ones.`,
  },
  {
    what: 'its engine is none',
    words: ['--dynamodb', other],
    message: `${other} cannot be used as a DynamoDB engine: No such operation.`,
  },
  {
    what: 'its data directory is a file',
    words: ['--data', 'package.json'],
    message:
      'package.json cannot be used: ' +
      "ENOTDIR: not a directory, mkdir 'package.json/petstore-tables'.",
  },
])('start says that $what before it does anything else', async ({ words, message }) => {
  expect(await petstore(['start', '--port', '0', ...words])).toStrictEqual({
    code: 1,
    output: '',
    errors: `petstore: ${message}\n`,
  });
});

const stage = keysStage();
const given = createApiKey('staging');
const keyOf = (apiKey?: string) =>
  runKey({ client: stage.client, TableName: stage.tables.apiKeys }, 'staging', apiKey);
const record = { keyId: 'NEW_ID', access: 'write', name: 'petstore start', createdAt: now };

test('without a key, a new one is issued', async () => {
  const [first, second] = [await keyOf(), await keyOf()];
  expect(first).toMatch(/^petstore_staging_[0-9a-f]{48}$/);
  expect(second).not.toBe(first);
  expect(await stage.records()).toStrictEqual([record, record]);
});

test('a key that is given is the only one that is issued, once', async () => {
  expect([await keyOf(given), await keyOf(given)]).toStrictEqual([given, given]);
  expect(await stage.records()).toStrictEqual([record]);
});

test.each([
  { changes: { revokedAt: now - 60 }, message: 'was revoked at 2027-01-15T07:59:00Z' },
  { changes: { expiresAt: now }, message: 'expired at 2027-01-15T08:00:00Z' },
])('a key that $message is not made to work again', async ({ changes, message }) => {
  await stage.put({ ...shop, keyHash: hashApiKey(given), ...changes });
  const before = await stage.records();
  await expect(keyOf(given)).rejects.toMatchObject({
    name: 'CliError',
    message: `The key given with --api-key ${message}.`,
  });
  expect(await stage.records()).toStrictEqual(before);
});
