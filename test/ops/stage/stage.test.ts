import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { descriptionPath } from '../../../local/gateway/operators-api.ts';
import { serve } from '../../support/http/serve.ts';
import { awsError, fakeAws } from '../../support/ops/fake-aws.ts';
import { keysStage, onLocal, onProd } from '../../support/ops/keys.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { atEnd } from '../../support/process/at-end.ts';

const stage = keysStage();

const head = 'ID  ACCESS  STATE  CREATED  ENDS  NAME\n';

test('a local run is found by its port, whatever TMPDIR is', async () => {
  const result = await stage.local(['list'], { env: { TMPDIR: '/nowhere' } });
  expect(result).toStrictEqual({ code: 0, output: head, errors: onLocal });
});

const usage = (message: string) => `error: ${message}\n(--help shows how it is used)\n`;
const wrongPort = (text: string, reason = 'A port is an integer from 0 to 65535.') =>
  usage(`option '--port <port>' argument '${text}' is invalid. ${reason}`);
const noPort = 'petstore start prints the port of its run.';

test.each([
  {
    options: [],
    errors: 'petstore: Choose a target: --stage staging, --stage prod or --local.\n',
  },
  {
    options: ['--local', '--stage', 'prod'],
    errors: usage("option '--local' cannot be used with option '--stage <stage>'"),
  },
  {
    options: ['--stage', 'prod', '--port', '3000'],
    errors: usage("option '--port <port>' cannot be used with option '--stage <stage>'"),
  },
  {
    options: ['--stage', 'dev'],
    errors: usage(
      "option '--stage <stage>' argument 'dev' is invalid. Allowed choices are staging, prod.",
    ),
  },
  { options: ['--local', '--port='], errors: wrongPort('') },
  { options: ['--local', '--port', 'abc'], errors: wrongPort('abc') },
  { options: ['--local', '--port', '65536'], errors: wrongPort('65536') },
  { options: ['--local', '--port', '0x10'], errors: wrongPort('0x10') },
  { options: ['--local', '--port', '0'], errors: wrongPort('0', noPort) },
])('keys list $options is wrong usage', async ({ options, errors }) => {
  expect(await petstore(['keys', 'list', ...options])).toStrictEqual({
    code: 2,
    output: '',
    errors,
  });
});

const description = (origin: string, changes: object = {}) => ({
  stageName: 'staging',
  baseUrl: `${origin}/staging/v1`,
  dynamodb: { endpoint: origin, inventory: 'inventory', apiKeys: 'keys' },
  ...changes,
});

/** Answers every request with what a local run says of itself, but for some changes. */
const describing =
  (changes: object): RequestListener =>
  ({ headers }, response) =>
    response.end(JSON.stringify(description(`http://${headers.host}`, changes)));

const otherEngine = (endpoint: string) =>
  describing({ dynamodb: { endpoint, inventory: 'inventory', apiKeys: 'keys' } });

/** What may listen on a port without being a local run. */
const otherPrograms: { what: string; listener: RequestListener }[] = [
  {
    what: 'a site that answers every path with a page',
    listener: (_request, response) => response.end('<!doctype html><p>Hi'),
  },
  { what: 'JSON null', listener: (_request, response) => response.end('null') },
  {
    what: 'a description with another status',
    listener: ({ headers }, response) =>
      response.writeHead(203).end(JSON.stringify(description(`http://${headers.host}`))),
  },
  {
    what: 'a redirect to a local run',
    listener: (_request, response) =>
      response
        .writeHead(307, { location: `http://127.0.0.1:${stage.port()}${descriptionPath}` })
        .end(),
  },
  { what: 'an engine elsewhere', listener: otherEngine('http://192.0.2.1:8000') },
  { what: 'an engine with a tricky name', listener: otherEngine('http://127.0.0.1.example:80') },
  { what: 'an engine over HTTPS', listener: otherEngine('https://127.0.0.1:443') },
  { what: 'an engine without a URL', listener: otherEngine('nowhere') },
  {
    what: 'an unnamed table',
    listener: describing({ dynamodb: { endpoint: 'http://127.0.0.1:80', inventory: 'i' } }),
  },
  { what: 'no tables', listener: describing({ dynamodb: null }) },
  {
    what: 'an API elsewhere',
    listener: describing({ baseUrl: 'http://localhost@192.0.2.1/staging/v1' }),
  },
  { what: 'no API', listener: describing({ baseUrl: undefined }) },
  { what: 'no stage', listener: describing({ stageName: 7 }) },
];

const isUsed = (port: string) => ({
  code: 1,
  output: '',
  errors:
    `petstore: Port ${port} is used by another program, or by a local run of another version. ` +
    'Give the --port of a local run.\n',
});

test.each(otherPrograms)('$what is no local run, and gets nothing else', async ({ listener }) => {
  const requests: (string | undefined)[] = [];
  const origin = await serve((request, response) => {
    requests.push(request.url);
    listener(request, response);
  });
  const { port } = new URL(origin);
  expect(await petstore(['keys', 'list', '--local', '--port', port])).toStrictEqual(isUsed(port));
  expect(requests).toStrictEqual([descriptionPath]);
});

/** Listens on a free port until the test file ends. Returns the port. */
const listenWith = async (onSocket: (socket: Socket) => void): Promise<string> => {
  const server = createTcpServer((socket) => onSocket(socket.unref())).unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  return String((server.address() as { port: number }).port);
};

test.each([
  { what: 'resets the connection', onSocket: (socket: Socket) => void socket.resetAndDestroy() },
  { what: 'does not speak HTTP', onSocket: (socket: Socket) => void socket.end('SSH-2.0-x\r\n') },
])('a program that $what is no local run', async ({ onSocket }) => {
  const port = await listenWith(onSocket);
  expect(await petstore(['keys', 'list', '--local', '--port', port])).toStrictEqual(isUsed(port));
});

test('a port on which nobody listens has no local run', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  expect(await petstore(['keys', 'list', '--local', '--port', String(port)])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `petstore: There is no local run on port ${port}. ` +
      `Start one (npx --no -- petstore start --port ${port}), or give its --port.\n`,
  });
});

test('a program that accepts connections and never answers is waited for five seconds', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const port = await listenWith(() => {});
  expect(await petstore(['keys', 'list', '--local', '--port', port])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `petstore: Port ${port} has not answered within 5 s. ` +
      'If it is a local run, start it again; otherwise give the --port of one.\n',
  });
  expect(timeout.mock.calls).toStrictEqual([[5_000]]);
  timeout.mockRestore();
});

const stackName = 'staging-petstore-inventory';
const outputs = { RestApiId: 'x', InventoryTableName: 'nothing', ApiKeysTableName: 'nothing' };
const { ApiKeysTableName: _table, ...incomplete } = outputs;

test.each([
  {
    what: 'is not there',
    stacks: {} as Parameters<typeof fakeAws>[0],
    errors:
      `petstore: us-east-1 has no stack ${stackName} in the account of these credentials.\n` +
      'Set AWS_REGION or AWS_PROFILE if it is elsewhere, or deploy it (docs/deploy.md).\n',
  },
  {
    what: 'was never complete',
    stacks: { [stackName]: { status: 'CREATE_FAILED', outputs: incomplete } },
    errors:
      `petstore: ${stackName} has no output ApiKeysTableName; it is CREATE_FAILED. ` +
      'docs/deploy.md says what to do, by the status of the stack.\n',
  },
])('a command says what to do about a stack that $what', async ({ stacks, errors }) => {
  const { environment: env } = await fakeAws(stacks);
  expect(await petstore(['keys', 'list', '--stage', 'staging'], { env })).toStrictEqual({
    code: 1,
    output: '',
    errors,
  });
});

test('a command says what to do if AWS denies its look at the stack', async () => {
  const { environment: env } = await fakeAws({}, awsError('AccessDenied', 'User: x may not'));
  expect(await petstore(['keys', 'list', '--stage', 'staging'], { env })).toStrictEqual({
    code: 1,
    output: '',
    errors:
      'petstore: User: x may not\n' +
      'docs/reference.md#keys-and-stock has the policy of an operator.\n',
  });
});

test('a command says what to do about a table that has gone', async () => {
  const body = { __type: 'x#ResourceNotFoundException', message: 'Requested resource not found' };
  stage.react = async () => ({ status: 400, body });
  expect(await stage.prod(['list'])).toStrictEqual({
    code: 1,
    output: '',
    errors:
      `${onProd}petstore: Requested resource not found\n` +
      'The table has gone. Check AWS_REGION and AWS_PROFILE, and that the stage is deployed.\n',
  });
});
