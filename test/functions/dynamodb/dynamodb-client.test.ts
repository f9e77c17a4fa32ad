import { afterEach, expect, jest, test } from '@jest/globals';
import type { SendOptions } from '../../../functions/dynamodb/attempts.ts';
import { isRetryable } from '../../../functions/dynamodb/failures.ts';
import { busyTime } from '../../../functions/shared/time-limits.ts';
import {
  aSecondEach,
  clientOf,
  getItem,
  inBusyTime,
  respond,
  respondWithError,
  type Script,
  startDynamodb,
} from '../../support/dynamodb/dynamodb.ts';

const Item = { keyId: { S: 'key-1' } };
const ok = respond(200, JSON.stringify({ Item }));

const dynamodb = await startDynamodb();

afterEach(() => void jest.restoreAllMocks());

/** Sends a command. Returns why it has failed, how often it was sent, and what is recorded of that. */
const failureOf = async (
  maxAttempts: number,
  options: SendOptions = {},
  endpoint = dynamodb.endpoint,
) => {
  const record = {};
  const client = await clientOf(endpoint, maxAttempts);
  const sent = client.send(getItem(), { record, ...options });
  const error: Error = await sent.then(
    () => new Error('It has not failed.'),
    (reason) => reason,
  );
  return { error, record, attempts: dynamodb.received.length };
};

/** What a log line tells of an error. */
const told = ({ name, message, cause }: Error) => [
  name,
  message,
  ...(cause instanceof Error ? [cause.message] : []),
];

test('takes its credentials from the environment when it first needs them', async () => {
  dynamodb.script(ok);
  const client = await clientOf(dynamodb.endpoint);
  process.env.AWS_ACCESS_KEY_ID = 'next';
  delete process.env.AWS_SESSION_TOKEN;
  await client.send(getItem());
  const [{ headers } = {}] = dynamodb.received;
  expect(headers?.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=next\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, /,
  );
  expect(headers).not.toHaveProperty('x-amz-security-token');
});

test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('needs the variable %s', async (name) => {
  const client = await clientOf(dynamodb.endpoint);
  delete process.env[name];
  const sent = client.send(getItem());
  await expect(sent).rejects.toThrow('The environment holds no AWS credentials.');
});

test('tells DynamoDB which attempt of which command it is', async () => {
  dynamodb.script(respond(500, '{}'), ok);
  const client = await clientOf(dynamodb.endpoint);
  expect(await client.send(getItem())).toMatchObject({ Item });
  const [first, ...more] = dynamodb.received.map(({ headers }) => ({
    id: headers['amz-sdk-invocation-id'],
    attempt: headers['amz-sdk-request'],
  }));
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(first).toStrictEqual({ id, attempt: 'attempt=1; max=3' });
  expect(more).toStrictEqual([{ id: first?.id, attempt: 'attempt=2; max=3' }]);
});

/** What says why is Node's or ours. */
const incomplete = (cause: unknown) => [
  'TransientError',
  expect.stringMatching(/^DynamoDB sent no complete response: ./),
  cause,
];
const unreadable = (cause: unknown) => [
  'TransientError',
  "DynamoDB's response cannot be read.",
  cause,
];
const noJson = unreadable(expect.stringContaining('JSON'));
const noChecksum = unreadable('Its checksum is missing or wrong.');
const noObject = unreadable('It is not an object.');

const outage = respondWithError(500, 'InternalServerError');
const serverError = ['InternalServerError', 'Not a word of this to clients.'];
const bytes =
  (text: string): Script =>
  ({ response }) =>
    response.socket?.end(text);
const switchProtocols =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
const closed: Script = ({ response }) => response.destroy();
const half: Script = ({ response }) => response.writeHead(200).write('{', () => response.destroy());
const unchecked =
  (status: number, body: string): Script =>
  ({ response }) =>
    response.writeHead(status).end(body);
const wrongChecksum = respond(400, '{"__type":"x"}', { 'x-amz-crc32': '1' });

// faults.test.ts shows which of these are repeated.
test.each<[what: string, failure: Script, error: unknown[]]>([
  ['an InternalServerError', outage, serverError],
  ['an unknown error', unchecked(503, '{"__type":"New"}'), ['New', 'New']],
  ['a 503 that is not JSON', respond(503, '<html>'), noJson],
  ['a connection that ends', closed, incomplete(expect.any(String))],
  ['half a response', half, incomplete(expect.any(String))],
  ['a switch of protocols', bytes(switchProtocols), incomplete('its connection was closed')],
  ['a missing checksum', unchecked(200, '{}'), noChecksum],
  ['an error with a wrong checksum', wrongChecksum, noChecksum],
  ['null as the body', respond(400, 'null'), noObject],
  ['a number as the body', respond(200, '7'), noObject],
  ['a list as the body', respond(200, '[]'), noObject],
])('after %s, a command may have run, and may be repeated', async (_what, failure, expected) => {
  dynamodb.script(failure);
  const { error, record } = await failureOf(1);
  expect(told(error)).toStrictEqual(expected);
  expect(isRetryable(error)).toBe(true);
  expect(record).toStrictEqual({ failedAttempt: error });
});

// 503 is a status that DynamoDB may use one day.
test.each([400, 503])(
  'after throttling, a command has not run, and is always repeated (%i)',
  async (status) => {
    dynamodb.script(respondWithError(status, 'ThrottlingException'));
    const { error, record, attempts } = await failureOf(3);
    expect([error.name, isRetryable(error), attempts]).toStrictEqual([
      'ThrottlingException',
      true,
      3,
    ]);
    expect(record).toStrictEqual({ failedAttempt: error, retries: 2 });
  },
);

const conflict = (Code: string) => ({
  __type: 'x#TransactionCanceledException',
  CancellationReasons: [{ Code }],
});
test.each([
  { what: 'another write', body: { __type: 'x#TransactionConflictException' }, times: inBusyTime },
  { what: 'another transaction', body: conflict('TransactionConflict'), times: inBusyTime },
  { what: 'throttling', body: conflict('ThrottlingError'), times: 3 },
  { what: 'the limit of a table', body: conflict('ProvisionedThroughputExceeded'), times: 3 },
])('a command that met $what has not run, and is sent $times times', async ({ body, times }) => {
  aSecondEach();
  dynamodb.script(unchecked(400, JSON.stringify(body)));
  const { error, record, attempts } = await failureOf(3);
  expect([isRetryable(error), attempts]).toStrictEqual([true, times]);
  expect(record).toStrictEqual({ failedAttempt: error, retries: times - 1 });
});

test('a command that meets others is sent for as long as its request has time', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  dynamodb.script(unchecked(400, JSON.stringify(conflict('TransactionConflict'))));
  const times = [-2, -1, 0].map((more) => busyTime + more);
  const elapsed = () => times.shift() ?? Number.NaN;
  const { attempts } = await failureOf(3, { record: { elapsed } });
  expect([attempts, times]).toStrictEqual([3, []]);
});

test('a lost response is followed by two attempts, whatever was met in between', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const conflicts = respond(400, JSON.stringify(conflict('TransactionConflict')));
  dynamodb.script(conflicts, closed, conflicts, conflicts, closed, conflicts, closed);
  const { error, record, attempts } = await failureOf(3);
  expect([error.name, attempts]).toStrictEqual(['TransientError', 7]);
  expect(record).toMatchObject({ retries: 6 });
});

test('a command whose condition is false has not run, and is not repeated', async () => {
  dynamodb.script(unchecked(400, JSON.stringify(conflict('ConditionalCheckFailed'))));
  const { error, record, attempts } = await failureOf(3);
  expect([isRetryable(error), attempts]).toStrictEqual([false, 1]);
  expect(record).toStrictEqual({ failedAttempt: error });
});

test('a command that finds no DynamoDB has not run, and is repeated', async () => {
  const { error, record } = await failureOf(3, {}, 'http://localhost:1');
  expect(error).toMatchObject({ name: 'TransientError', $metadata: { attempts: 3 } });
  expect(record).toStrictEqual({ failedAttempt: error, retries: 2 });
});

test('a transaction with a false condition is not repeated, whatever else it met', async () => {
  const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'TransactionConflict' }];
  const body = { __type: 'x#TransactionCanceledException', CancellationReasons };
  dynamodb.script(unchecked(400, JSON.stringify(body)));
  const { error, attempts } = await failureOf(3);
  expect([isRetryable(error), attempts]).toStrictEqual([false, 1]);
});

test.each([
  { what: 'lost responses', script: closed },
  { what: 'throttling', script: unchecked(400, '{"__type":"x#ThrottlingException"}') },
])(
  'despite $what, a command with a receipt is sent as long as its request has time',
  async (row) => {
    dynamodb.script(row.script);
    let reads = 0;
    // For each attempt, the clock is read twice.
    const elapsed = () => [0, 0, 0, 0, busyTime - 1, busyTime][Math.floor(reads++ / 2)] as number;
    const { attempts } = await failureOf(3, { hasReceipt: true, record: { elapsed } });
    expect(attempts).toBe(6);
  },
);

test('within the quota of the SDK, which an outage uses up', async () => {
  dynamodb.script(closed);
  const { attempts } = await failureOf(3, { hasReceipt: true, record: { elapsed: () => 0 } });
  // A retry after a lost response takes 14 of 500.
  expect(attempts).toBe(1 + Math.floor(500 / 14));
});

test.each([
  ['{"__type":"a#b#ValidationException"}', 'ValidationException', 'ValidationException'],
  [
    '{"__type":"x#ResourceNotFoundException","message":null}',
    'ResourceNotFoundException',
    'ResourceNotFoundException',
  ],
  ['{"__type":null,"message":"x"}', 'UnknownError', 'x'],
  ['{"__type":7}', 'UnknownError', 'UnknownError'],
  ['{"message":["x"]}', 'UnknownError', 'x'],
  ['{}', 'UnknownError', 'UnknownError'],
])('after %s, a command has not run, and is never repeated', async (body, name, message) => {
  // There is no checksum, because some local engines send errors without one.
  dynamodb.script(unchecked(400, body));
  const { error, record, attempts } = await failureOf(3);
  expect(told(error)).toStrictEqual([name, message]);
  expect(error).toMatchObject({ $fault: 'client', $metadata: { httpStatusCode: 400 } });
  expect([isRetryable(error), attempts]).toStrictEqual([false, 1]);
  expect(record).toStrictEqual({ failedAttempt: error });
});

test.each<[when: string, begin: Script]>([
  ['before its response', () => {}],
  [
    'during its response',
    ({ response }) => new Promise((begun) => response.writeHead(200).write('{', begun)),
  ],
])('a command that is canceled %s is not repeated, and may still be run', async (_when, begin) => {
  const cancellation = new AbortController();
  dynamodb.script(async (call) => {
    await begin(call);
    cancellation.abort();
  });
  const options = { abortSignal: cancellation.signal };
  const { error, record, attempts } = await failureOf(3, options);
  expect([error.name, isRetryable(error), attempts]).toStrictEqual(['AbortError', false, 1]);
  expect(record).toStrictEqual({});
});
