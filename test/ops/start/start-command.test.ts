import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { listen } from '../../../local/shared/local-server.ts';
import type { StoredKey } from '../../../ops/keys/api-keys.ts';
import { banner } from '../../../ops/start/banner.ts';
import { runKey } from '../../../ops/start/run-key.ts';
import { keysStage, now } from '../../support/ops/keys.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { atEnd } from '../../support/process/at-end.ts';

const started = {
  stageName: 'staging',
  baseUrl: 'http://127.0.0.1:3000/staging/v1',
  apiKey: 'petstore_staging_4be1',
  isGivenKey: false,
  inspectPorts: {},
};

test('start prints everything that clients need, to paste', () => {
  expect(banner(started)).toBe(`\
Petstore inventory, stage staging. Ctrl-C stops it.

Base URL: http://127.0.0.1:3000/staging/v1
API key: petstore_staging_4be1
API reference: http://127.0.0.1:3000/#key=petstore_staging_4be1

For the programs in examples/:
export PETSTORE_BASE_URL=http://127.0.0.1:3000/staging/v1 PETSTORE_API_KEY=petstore_staging_4be1

Try it:
curl -H "Authorization: Bearer petstore_staging_4be1" http://127.0.0.1:3000/staging/v1/inventory

`);
});

test('a key that was given is printed nowhere, and debuggers learn their ports', () => {
  const inspectPorts = { Authorizer: 9229, ListInventory: 9230, UpdateInventory: 9231 };
  expect(banner({ ...started, isGivenKey: true, inspectPorts })).toBe(`\
Petstore inventory, stage staging. Ctrl-C stops it.

Base URL: http://127.0.0.1:3000/staging/v1
API key: the one given with --api-key
API reference: http://127.0.0.1:3000/
Debugger of Authorizer: 127.0.0.1:9229
Debugger of ListInventory: 127.0.0.1:9230
Debugger of UpdateInventory: 127.0.0.1:9231

For the programs in examples/, which also need PETSTORE_API_KEY:
export PETSTORE_BASE_URL=http://127.0.0.1:3000/staging/v1

Try it:
curl -H "Authorization: Bearer $PETSTORE_API_KEY" http://127.0.0.1:3000/staging/v1/inventory

`);
});

test('start --help shows every option', async () => {
  const { code, output, errors } = await petstore(['start', '--help']);
  expect({ code, errors }).toStrictEqual({ code: 0, errors: '' });
  expect(output).toBe(`\
Usage: petstore start [options]

run the service on this machine, from its synthesized template

Options:
  --port <port>     port to listen on; 0 picks a free one (default: 3000)
  --stage <stage>   the stage to run (choices: "staging", "prod", default:
                    "staging")
  --api-key <key>   accept this key, such as one of an earlier start
  --data <dir>      keep tables in a directory (default: in memory, lost on
                    exit)
  --dynamodb <url>  keep tables in a running engine, such as Amazon's DynamoDB
                    Local
  --json-logs       log JSON as in CloudWatch, instead of a readable line per
                    request
  --watch           serve changes in functions/ as they are saved
  --inspect [port]  let debuggers attach to the authorizer, list and update, at
                    this port and the next two; 0 picks free ones (preset:
                    "9229")
  -h, --help        display help for command
`);
});

const ports = 'A port is an integer from 0 to 65535.';

test.each([
  {
    words: ['--port', 'abc'],
    message: `option '--port <port>' argument 'abc' is invalid. ${ports}`,
  },
  { words: ['--port='], message: `option '--port <port>' argument '' is invalid. ${ports}` },
  {
    words: ['--port', '99999'],
    message: `option '--port <port>' argument '99999' is invalid. ${ports}`,
  },
  {
    words: ['--inspect', '1.5'],
    message: `option '--inspect [port]' argument '1.5' is invalid. ${ports}`,
  },
  {
    words: ['--inspect', '65534'],
    message: "option '--inspect [port]' argument '65534' is invalid. It may be 65533 at most.",
  },
  {
    words: ['--inspect', '--watch'],
    message: "option '--inspect [port]' cannot be used with option '--watch'",
  },
  {
    words: ['--data', ''],
    message: "option '--data <dir>' argument '' is invalid. It must name a directory.",
  },
  {
    words: ['--dynamodb', 'localhost:8000'],
    message:
      "option '--dynamodb <url>' argument 'localhost:8000' is invalid. " +
      'It must be a URL, such as http://localhost:8000.',
  },
  {
    words: ['--dynamodb', ''],
    message:
      "option '--dynamodb <url>' argument '' is invalid. " +
      'It must be a URL, such as http://localhost:8000.',
  },
  {
    words: ['--dynamodb', 'http://localhost:8000', '--data', 'x'],
    message: "option '--dynamodb <url>' cannot be used with option '--data <dir>'",
  },
  {
    words: ['--stage', 'test'],
    message:
      "option '--stage <stage>' argument 'test' is invalid. Allowed choices are staging, prod.",
  },
  { words: ['--api-key', ''], message: '--api-key holds no key of staging.' },
  { words: ['--api-key', 'another secret'], message: '--api-key holds no key of staging.' },
  {
    words: ['--api-key', createApiKey('staging').replace(/.$/, '!')],
    message: '--api-key holds no key of staging.',
  },
  {
    words: ['--stage', 'prod', '--api-key', createApiKey('staging')],
    message: '--api-key holds no key of prod.',
  },
])('start $words is wrong usage, of which one sentence tells', async ({ words, message }) => {
  expect(await petstore(['start', '--port', '0', ...words])).toStrictEqual({
    code: 2,
    output: '',
    errors: `error: ${message}\n(--help shows how it is used)\n`,
  });
});

const { port: busyPort, close } = await listen(createServer());
atEnd(close);

test.each([
  {
    what: 'its port is in use',
    words: ['--port', String(busyPort)],
    message: `Port ${busyPort} is in use. Give another --port; 0 picks a free one.`,
  },
  {
    what: 'the port of a debugger is in use',
    words: ['--inspect', String(busyPort)],
    message:
      'Debuggers cannot attach to Authorizer: listen EADDRINUSE: ' +
      `address already in use 127.0.0.1:${busyPort}.`,
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
const record = { keyId: 'NEW_ID', name: 'petstore start', createdAt: now };

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

/** Changes the record of the key. */
const change = async (changes: Partial<StoredKey>) => {
  await keyOf(given);
  const { Items = [] } = await stage.client.scan({ TableName: stage.tables.apiKeys });
  await stage.put({ ...record, keyHash: Items[0]?.keyHash?.S, ...changes });
};

test.each([
  { changes: { revokedAt: now - 60 }, message: 'was revoked at 2027-01-15T07:59:00Z' },
  { changes: { expiresAt: now }, message: 'expired at 2027-01-15T08:00:00Z' },
])('a key that $message is not made to work again', async ({ changes, message }) => {
  await change(changes);
  const before = await stage.records();
  await expect(keyOf(given)).rejects.toMatchObject({
    name: 'CliError',
    message: `The key given with --api-key ${message}.`,
  });
  expect(await stage.records()).toStrictEqual(before);
});

test('a key that works is accepted whatever else its record says', async () => {
  await change({ expiresAt: now + 1, name: 'shop' });
  expect(await keyOf(given)).toBe(given);
});
