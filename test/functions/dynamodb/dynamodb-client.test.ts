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
const switchProtocols =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';

const bytes =
  (text: string): Script =>
  ({ response }) =>
    response.socket?.end(text);
const halfAResponse: Script = ({ response }) =>
  response.writeHead(200).write('{', () => response.destroy());

const dynamodb = await startDynamodb();
const attempt = async (maxAttempts?: number, options?: SendOptions) =>
  (await clientOf(dynamodb.endpoint, maxAttempts)).send(getItem(), options);
/** Returns the error of a command. */
const failureOf = (maxAttempts: number, options?: SendOptions) =>
  attempt(maxAttempts, options).then(
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

test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
  'reports missing credentials: no %s',
  async (name) => {
    const client = await clientOf(dynamodb.endpoint);
    delete process.env[name];
    await expect(client.send(getItem())).rejects.toThrow(
      'The environment holds no AWS credentials.',
    );
  },
);

const notSent = (cause: string) => ({
  message: `DynamoDB sent no complete response: ${cause}`,
  cause: { message: cause },
});
const unreadable = (why: string) => ({
  message: "DynamoDB's response cannot be read.",
  cause: { message: expect.stringContaining(why) },
});
const wrongChecksum = unreadable('Its checksum is missing or wrong.');
interface Failure {
  what: string;
  failure: Script;
  properties: object;
  /** Whether it proves that DynamoDB has not run the command. */
  isRejection?: boolean;
}

test.each<Failure>([
  {
    what: 'a 503 that is not JSON',
    failure: respond(503, '<html>'),
    properties: unreadable('JSON'),
  },
  {
    what: 'an InternalServerError',
    failure: respond(500, '{"__type":"a#InternalServerError"}'),
    properties: { name: 'InternalServerError' },
  },
  {
    what: 'a throttled request',
    failure: respond(400, '{"__type":"a#ThrottlingException"}'),
    properties: { name: 'ThrottlingException' },
    isRejection: true,
  },
  {
    what: 'a throttled request with a status that DynamoDB may use one day',
    failure: respond(503, '{"__type":"a#ThrottlingException"}'),
    properties: { name: 'ThrottlingException' },
    isRejection: true,
  },
  {
    what: 'an unknown error',
    failure: respond(503, '{"__type":"a#New"}'),
    properties: { name: 'New', $fault: 'server' },
  },
  {
    what: 'a connection that ends',
    failure: ({ response }) => response.destroy(),
    properties: notSent('socket hang up'),
  },
  {
    what: 'a response that is not HTTP',
    failure: bytes('nonsense\r\n\r\n'),
    properties: { name: 'TransientError' },
  },
  {
    what: 'a switch of protocols',
    failure: bytes(switchProtocols),
    properties: notSent('its connection was closed'),
  },
  { what: 'half a response', failure: halfAResponse, properties: notSent('aborted') },
  {
    what: 'a missing checksum',
    failure: ({ response }) => response.writeHead(200).end('{}'),
    properties: wrongChecksum,
  },
  {
    what: 'an error with a wrong checksum',
    failure: respond(400, '{"__type":"x"}', { 'x-amz-crc32': '1' }),
    properties: wrongChecksum,
  },
  {
    what: 'null as the body',
    failure: respond(400, 'null'),
    properties: unreadable('It is not an object.'),
  },
  {
    what: 'a number as the body',
    failure: respond(200, '7'),
    properties: unreadable('It is not an object.'),
  },
  {
    what: 'a list as the body',
    failure: respond(200, '[]'),
    properties: unreadable('It is not an object.'),
  },
])(
  'retries after $what, and reports it when no attempt is left',
  async ({ failure, properties, isRejection = false }) => {
    dynamodb.script(failure, ok);
    expect(await attempt()).toMatchObject({ Item });
    const [first, ...more] = dynamodb.received.map(({ headers }) => headers);
    const invocation = { 'amz-sdk-invocation-id': first?.['amz-sdk-invocation-id'] };
    expect(first).toMatchObject({ 'amz-sdk-request': 'attempt=1; max=3' });
    expect(first?.['amz-sdk-invocation-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(more).toStrictEqual([
      expect.objectContaining({ ...invocation, 'amz-sdk-request': 'attempt=2; max=3' }),
    ]);

    dynamodb.script(failure);
    const record = {};
    const error = await failureOf(1, { record });
    expect(error).toMatchObject(properties);
    expect([isRetryable(error), dynamodb.received.length]).toStrictEqual([true, 1]);
    expect(record).toStrictEqual({
      failedAttempt: error,
      ...(!isRejection && { unsettledAttempt: error }),
    });
  },
);

test('a command that may have run is never sent twice, whatever the SDK thinks of it', async () => {
  dynamodb.script(({ response }) => response.destroy(), ok);
  const record = {};
  const error = await failureOf(3, { record, neverTwice: true });
  expect(error).toMatchObject({ name: 'UnsettledError', cause: { name: 'TransientError' } });
  // By itself, the SDK would retry: it looks for the reason in up to ten causes.
  expect([isRetryable(error), dynamodb.received.length]).toStrictEqual([true, 1]);
  expect(record).toStrictEqual({
    isUndecided: false,
    failedAttempt: error.cause,
    unsettledAttempt: error.cause,
  });
});

test('a command that must not run twice is sent again once it is settled that it has not', async () => {
  dynamodb.script(respondWithError(400, 'ThrottlingException'), ok);
  const record = {};
  expect(await attempt(3, { record, neverTwice: true })).toMatchObject({ Item });
  expect(dynamodb.received).toHaveLength(2);
  expect(record).toMatchObject({ failedAttempt: { name: 'ThrottlingException' } });
});

test('a command that must not run twice is sent again if it could not leave', async () => {
  const { endpoint } = dynamodb;
  const client = await clientOf('http://localhost:1');
  const record = {};
  const sent = client.send(getItem(), { record, neverTwice: true });
  const error = await sent.catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'TransientError', $metadata: { attempts: 3 } });
  expect(record).toStrictEqual({ isUndecided: false, failedAttempt: error });
  await clientOf(endpoint);
});

test('gives up an attempt when DynamoDB has been silent for two seconds', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  dynamodb.script(() => void jest.advanceTimersByTime(2_000));
  const error = await failureOf(1);
  jest.useRealTimers();
  expect(error).toMatchObject(notSent('DynamoDB was silent for 2000 ms.'));
});

test.each([
  {
    body: '{"__type":"a#b#ValidationException"}',
    properties: { name: 'ValidationException', message: 'ValidationException' },
  },
  {
    body: '{"__type":"x#ResourceNotFoundException","message":null}',
    properties: { name: 'ResourceNotFoundException' },
  },
  { body: '{"__type":null,"message":"x"}', properties: { name: 'UnknownError', message: 'x' } },
  { body: '{"__type":7}', properties: { name: 'UnknownError', message: 'UnknownError' } },
  { body: '{"message":["x"]}', properties: { name: 'UnknownError', message: 'x' } },
  {
    body: '{}',
    properties: {
      name: 'UnknownError',
      $fault: 'client',
      $metadata: expect.objectContaining({ httpStatusCode: 400 }),
    },
  },
])('takes $body for a permanent error', async ({ body, properties }) => {
  // There is no checksum, because DynamoDB Local sends errors without one.
  dynamodb.script(({ response }) => response.writeHead(400).end(body));
  const record = {};
  const error = await failureOf(3, { record });
  expect(error).toMatchObject({ message: expect.any(String), ...properties });
  expect([isRetryable(error), dynamodb.received.length]).toStrictEqual([false, 1]);
  // Such an error proves that DynamoDB has not run the command.
  expect(record).toStrictEqual({ failedAttempt: error });
});

test.each<{ when: string; begin: Script }>([
  { when: 'before its response', begin: () => {} },
  {
    when: 'during its response',
    begin: ({ response }) => new Promise((begun) => response.writeHead(200).write('{', begun)),
  },
])(
  'reports a request that is canceled $when as canceled, and does not retry it',
  async ({ begin }) => {
    const cancellation = new AbortController();
    dynamodb.script(async (call) => {
      await begin(call);
      cancellation.abort();
    });
    const record = {};
    const options = { abortSignal: cancellation.signal, record, neverTwice: true };
    const error = await failureOf(3, options);
    expect([error.name, isRetryable(error), dynamodb.received.length]).toStrictEqual([
      'AbortError',
      false,
      1,
    ]);
    // What was given up may still be run.
    expect(record).toStrictEqual({ isUndecided: true });
  },
);
