import { expect, jest, test } from '@jest/globals';
import type { SendOptions } from '../../../functions/dynamodb/attempts.ts';
import { isRetryable } from '../../../functions/dynamodb/failures.ts';
import {
  clientOf,
  getItem,
  respond,
  respondWithError,
  type Script,
  startDynamodb,
} from '../../support/dynamodb/dynamodb.ts';

const Item = { keyId: { S: 'key-1' } };
const ok = respond(200, JSON.stringify({ Item }));

const dynamodb = await startDynamodb();
const send = async (maxAttempts?: number, options?: SendOptions) =>
  (await clientOf(dynamodb.endpoint, maxAttempts)).send(getItem(), options);
/** Returns the error of a command. */
const failureOf = (maxAttempts: number, options?: SendOptions) =>
  send(maxAttempts, options).then(
    () => undefined,
    (error) => error,
  );

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
  expect(await send()).toMatchObject({ Item });
  const [first, ...more] = dynamodb.received.map(({ headers }) => ({
    id: headers['amz-sdk-invocation-id'],
    attempt: headers['amz-sdk-request'],
  }));
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(first).toStrictEqual({ id, attempt: 'attempt=1; max=3' });
  expect(more).toStrictEqual([{ id: first?.id, attempt: 'attempt=2; max=3' }]);
});

const named = (name: string, more = {}) => ({ name, ...more });
const incomplete = (cause: string) => ({
  message: `DynamoDB sent no complete response: ${cause}`,
  cause: { message: cause },
});
const unreadable = (why: string) => ({
  message: "DynamoDB's response cannot be read.",
  cause: { message: expect.stringContaining(why) },
});
const noChecksum = unreadable('Its checksum is missing or wrong.');
const noObject = unreadable('It is not an object.');

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

/** Failures after which DynamoDB may have run the command. */
const unsettled: [what: string, failure: Script, error: object][] = [
  [
    'an InternalServerError',
    respondWithError(500, 'InternalServerError'),
    named('InternalServerError'),
  ],
  ['an unknown error', respondWithError(503, 'New'), named('New', { $fault: 'server' })],
  ['a 503 that is not JSON', respond(503, '<html>'), unreadable('JSON')],
  ['a connection that ends', closed, incomplete('socket hang up')],
  ['a response that is not HTTP', bytes('nonsense\r\n\r\n'), named('TransientError')],
  ['a switch of protocols', bytes(switchProtocols), incomplete('its connection was closed')],
  ['half a response', half, incomplete('aborted')],
  ['a missing checksum', unchecked(200, '{}'), noChecksum],
  ['an error with a wrong checksum', wrongChecksum, noChecksum],
  ['null as the body', respond(400, 'null'), noObject],
  ['a number as the body', respond(200, '7'), noObject],
  ['a list as the body', respond(200, '[]'), noObject],
];

test.each(unsettled)(
  'after %s, a command may have run, and may be repeated',
  async (_what, failure, properties) => {
    dynamodb.script(failure, ok);
    expect(await send()).toMatchObject({ Item });

    dynamodb.script(failure);
    const record = {};
    const error = await failureOf(1, { record });
    expect(error).toMatchObject(properties);
    expect([isRetryable(error), dynamodb.received.length]).toStrictEqual([true, 1]);
    expect(record).toStrictEqual({
      isUndecided: false,
      failedAttempt: error,
      unsettledAttempt: error,
    });

    dynamodb.script(failure, ok);
    const once = await failureOf(3, { record: {}, neverTwice: true });
    expect(once).toMatchObject({ name: 'UnsettledError', cause: properties });
    // By itself, the SDK would retry: it looks for the reason in up to ten causes.
    expect([isRetryable(once), dynamodb.received.length]).toStrictEqual([true, 1]);
  },
);

// 503 is a status that DynamoDB may use one day.
test.each([400, 503])(
  'after throttling, a command has not run, and is always repeated (%i)',
  async (status) => {
    const throttled = respondWithError(status, 'ThrottlingException');
    dynamodb.script(throttled, ok);
    const record = {};
    expect(await send(3, { record, neverTwice: true })).toMatchObject({ Item });
    expect(dynamodb.received).toHaveLength(2);
    expect(record).toStrictEqual({
      isUndecided: false,
      failedAttempt: expect.objectContaining({ name: 'ThrottlingException' }),
    });
  },
);

test('a command that cannot leave has not run, and is always repeated', async () => {
  const { endpoint } = dynamodb;
  const client = await clientOf('http://localhost:1');
  const record = {};
  const sent = client.send(getItem(), { record, neverTwice: true });
  const error = await sent.catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'TransientError', $metadata: { attempts: 3 } });
  expect(record).toStrictEqual({ isUndecided: false, failedAttempt: error });
  await clientOf(endpoint);
});

const unknown = (message: string) => named('UnknownError', { message });

test.each([
  [
    '{"__type":"a#b#ValidationException"}',
    named('ValidationException', { message: 'ValidationException' }),
  ],
  ['{"__type":"x#ResourceNotFoundException","message":null}', named('ResourceNotFoundException')],
  ['{"__type":null,"message":"x"}', unknown('x')],
  ['{"__type":7}', unknown('UnknownError')],
  ['{"message":["x"]}', unknown('x')],
  ['{}', named('UnknownError', { $fault: 'client' })],
])('after %s, a command has not run, and is never repeated', async (body, properties) => {
  // There is no checksum, because DynamoDB Local sends errors without one.
  dynamodb.script(unchecked(400, body));
  const record = {};
  const error = await failureOf(3, { record });
  const $metadata = expect.objectContaining({ httpStatusCode: 400 });
  expect(error).toMatchObject({ message: expect.any(String), $metadata, ...properties });
  expect([isRetryable(error), dynamodb.received.length]).toStrictEqual([false, 1]);
  expect(record).toStrictEqual({ isUndecided: false, failedAttempt: error });
});

test('an attempt is given up when DynamoDB has been silent for two seconds', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  dynamodb.script(() => void jest.advanceTimersByTime(2_000));
  const error = await failureOf(1);
  jest.useRealTimers();
  expect(error).toMatchObject(incomplete('DynamoDB was silent for 2000 ms.'));
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
  const record = {};
  const options = { abortSignal: cancellation.signal, record, neverTwice: true };
  const error = await failureOf(3, options);
  expect(error).toMatchObject({ name: 'AbortError' });
  expect([isRetryable(error), dynamodb.received.length]).toStrictEqual([false, 1]);
  expect(record).toStrictEqual({ isUndecided: true });
});
