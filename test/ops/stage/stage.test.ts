import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { stageNames } from '../../../infra/settings/stage-names.ts';
import { descriptionPath } from '../../../local/gateway/operators-api.ts';
import { serve } from '../../support/http/serve.ts';
import { fakeAws } from '../../support/ops/fake-aws.ts';
import { keysStage, onLocal, onProd } from '../../support/ops/keys.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { atEnd } from '../../support/process/at-end.ts';

const stage = keysStage();

/** Writes a configuration of AWS with a profile. Returns the environment that uses it. */
const profileWith = (setting: string) => {
  const AWS_CONFIG_FILE = join(process.env.TEST_RUN_DIRECTORY ?? '', `${randomUUID()}.config`);
  writeFileSync(AWS_CONFIG_FILE, `[default]\n${setting}\n`);
  return { AWS_CONFIG_FILE };
};

test('a local run is found by its port', async () => {
  expect(await stage.local(['list', '--json'])).toStrictEqual({
    code: 0,
    output: '[]\n',
    errors: onLocal,
  });
});

test.each([
  {
    options: ['--json'],
    error: `choose a target: --stage ${stageNames.join(', --stage ')} or --local`,
  },
  {
    options: ['--local', '--stage', 'prod'],
    error: "option '--local' cannot be used with option '--stage <stage>'",
  },
  {
    options: ['--stage', 'prod', '--port', '3000'],
    error: "option '--port <port>' cannot be used with option '--stage <stage>'",
  },
  {
    options: ['--stage', 'nowhere'],
    error: `option '--stage <stage>' argument 'nowhere' is invalid. Allowed choices are ${stageNames.join(', ')}.`,
  },
  ...['', 'abc', '65536', '0x10'].map((port) => ({
    options: ['--local', '--port', port],
    error: `option '--port <port>' argument '${port}' is invalid. A port is an integer from 0 to 65535.`,
  })),
  {
    options: ['--local', '--port', '0'],
    error:
      "option '--port <port>' argument '0' is invalid. petstore start prints the port of its run.",
  },
])('keys list $options is wrong usage', async ({ options, error }) => {
  expect(await petstore(['keys', 'list', ...options])).toStrictEqual({
    code: 2,
    output: '',
    errors: `error: ${error}\n(for usage, add --help)\n`,
  });
});

/** Runs a command on a local run at a port, where there is none. */
const failure = async (port: number | string) => {
  const { errors, ...result } = await petstore(['keys', 'list', '--local', '--port', String(port)]);
  expect(result).toStrictEqual({ code: 1, output: '' });
  return errors;
};

const isUsed = (port: string) =>
  `petstore: Port ${port} belongs to another program, or to a local run of another version. ` +
  'Give the --port of a local run.\n';

/** Answers every request with what a local run says of itself, but for some changes. */
const describing =
  (changes: object): RequestListener =>
  ({ headers: { host } }, response) => {
    const dynamodb = { endpoint: `http://${host}`, inventory: 'inventory', apiKeys: 'keys' };
    const run = { stageName: 'staging', baseUrl: `http://${host}/staging/v1`, dynamodb };
    response.end(JSON.stringify({ ...run, ...changes }));
  };

const engineAt = (endpoint: string) =>
  describing({ dynamodb: { endpoint, inventory: 'inventory', apiKeys: 'keys' } });

/** What may listen on a port without being a local run. */
const otherPrograms: { what: string; listener: RequestListener }[] = [
  {
    what: 'a site that answers every path with a page',
    listener: (_request, response) => response.end('<!doctype html><p>Hi'),
  },
  { what: 'JSON null', listener: (_request, response) => response.end('null') },
  {
    what: 'a redirect to a local run',
    listener: (_request, response) => {
      const location = `http://127.0.0.1:${stage.port()}${descriptionPath}`;
      response.writeHead(307, { location }).end();
    },
  },
  {
    what: 'a description with another status',
    listener: (request, response) => describing({})(request, response.writeHead(203)),
  },
  { what: 'an engine elsewhere', listener: engineAt('http://192.0.2.1:8000') },
  { what: 'an engine with a tricky name', listener: engineAt('http://127.0.0.1.example:80') },
  { what: 'an engine over HTTPS', listener: engineAt('https://127.0.0.1:443') },
  {
    what: 'an unnamed table',
    listener: describing({ dynamodb: { endpoint: 'http://127.0.0.1:80', inventory: 'i' } }),
  },
  { what: 'no tables', listener: describing({ dynamodb: null }) },
  {
    what: 'an API elsewhere',
    listener: describing({ baseUrl: 'http://localhost@192.0.2.1/staging/v1' }),
  },
  { what: 'no stage', listener: describing({ stageName: 7 }) },
];

test.each(otherPrograms)('$what is no local run, and gets nothing else', async ({ listener }) => {
  const requests: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    requests.push(request.url);
    listener(request, response);
  });
  const { port } = new URL(origin);
  expect(await failure(port)).toBe(isUsed(port));
  expect(requests).toStrictEqual([descriptionPath]);
});

/** Listens on a free port. */
const listenWith = async (onSocket: (socket: Socket) => void) => {
  const server = createTcpServer((socket) => onSocket(socket.unref())).unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(() => server.close());
  const { port } = server.address() as { port: number };
  return { server, port: String(port) };
};

test('a port on which nobody listens has no local run', async () => {
  const { server, port } = await listenWith(() => {});
  await once(server.close(), 'close');
  expect(await failure(port)).toBe(
    `petstore: There is no local run on port ${port}. ` +
      `Start one (npx --no -- petstore start --port ${port}) or give another --port.\n`,
  );
});

test('a program that accepts connections and never answers is waited for five seconds', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const { port } = await listenWith(() => {});
  expect(await failure(port)).toBe(
    `petstore: Port ${port} did not answer within 5 s. ` +
      'If it is a local run, restart it; otherwise give the --port of one.\n',
  );
  expect(timeout.mock.calls).toStrictEqual([[5_000]]);
  timeout.mockRestore();
});

const name = 'staging-petstore-inventory';

test.each([
  {
    what: 'a stack that is not there',
    aws: () => fakeAws({}),
    errors:
      `petstore: There is no stack ${name} in us-east-1 in this account.\n` +
      'If it is elsewhere, set AWS_REGION or AWS_PROFILE; otherwise deploy it (docs/deploy.md).\n',
  },
  {
    what: 'a stack that was never complete',
    aws: () =>
      fakeAws({ [name]: { status: 'CREATE_FAILED', outputs: { InventoryTableName: 'x' } } }),
    errors:
      `petstore: ${name} has no output ApiKeysTableName; its status is CREATE_FAILED. ` +
      'docs/deploy.md#when-a-deployment-fails says what to do.\n',
  },
  {
    what: 'a look at the stack that AWS denies',
    aws: () => fakeAws({}, 'User: x may not'),
    errors:
      'petstore: User: x may not\n' +
      'docs/reference.md#keys-and-stock has the policy that operators need.\n',
  },
])('a command says what to do about $what', async ({ aws, errors }) => {
  const { environment: env } = await aws();
  expect(await petstore(['keys', 'list', '--stage', 'staging'], { env })).toStrictEqual({
    code: 1,
    output: '',
    errors,
  });
});

test.each<{ what: string; names: Record<string, string> }>([
  { what: 'AWS_REGION', names: { AWS_REGION: 'eu-north-1', AWS_DEFAULT_REGION: 'eu-south-1' } },
  { what: 'AWS_DEFAULT_REGION', names: { AWS_DEFAULT_REGION: 'eu-north-1' } },
  {
    what: 'AWS_DEFAULT_REGION if AWS_REGION is empty',
    names: { AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-north-1' },
  },
])('the region is that of $what, whatever the profile says', async ({ names }) => {
  const { environment } = await fakeAws({});
  const { AWS_REGION: _, ...others } = environment;
  const env = { ...others, ...profileWith('region = us-west-2'), ...names };
  const { errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env });
  expect(errors).toMatch(/^petstore: There is no stack \S+ in eu-north-1 /);
});

test('the region is that of the profile if the environment names none', async () => {
  const { environment } = await fakeAws({});
  const { AWS_REGION: _, ...others } = environment;
  const env = { ...others, ...profileWith('region = us-west-2') };
  const { errors } = await petstore(['keys', 'list', '--stage', 'staging'], { env });
  expect(errors).toMatch(/^petstore: There is no stack \S+ in us-west-2 /);
});

test('a command says what to do about a table that has gone', async () => {
  const body = { __type: 'x#ResourceNotFoundException', message: 'Requested resource not found' };
  stage.react = async () => ({ status: 400, body });
  expect(await stage.prod(['list'])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onProd}petstore: Requested resource not found\n` +
      'The table does not exist. Check AWS_REGION, AWS_PROFILE and whether the stage is deployed.\n',
  });
});
