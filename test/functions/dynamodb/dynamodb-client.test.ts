import { crc32 } from 'node:zlib';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { SendOptions } from '../../../functions/dynamodb/dynamodb-client.ts';
import { kindOf } from '../../../functions/dynamodb/failures.ts';
import {
  aSecondEach,
  clientOf,
  getItem,
  inBusyTime,
  respond,
  type Script,
  startDynamodb,
  takeSilence,
} from '../../support/dynamodb/dynamodb.ts';
import { faults } from '../../support/dynamodb/faults.ts';
import { onlyDates } from '../../support/functions/functions.ts';

const Item = { keyId: { S: 'key-1' } };
const ok = respond(200, JSON.stringify({ Item }));

const dynamodb = await startDynamodb();

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** Sends a command. Returns why it has failed, how often it was sent, and what is recorded of that. */
const failureOf = async (maxAttempts: number, options: SendOptions = {}) => {
  const record = {};
  const client = await clientOf(dynamodb.endpoint, maxAttempts);
  const sent = client.send(getItem(), { record, ...options });
  const error: Error = await sent.then(
    () => new Error('It has not failed.'),
    (reason) => reason,
  );
  return { error, record, attempts: dynamodb.received.length };
};

/** What a log line tells of an error. */
const told = ({ name, message, cause }: Error): string =>
  [name, message, ...(cause instanceof Error ? [cause.message] : [])].join(': ');

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

/** What the engine would answer. */
const answer = Buffer.from(JSON.stringify({ Item }));
const forward = async () => ({
  status: 200,
  headers: { 'x-amz-crc32': String(crc32(answer)) },
  bytes: answer,
  body: { Item },
});

const allFaults = Object.entries(faults).map(([name, fault]) => ({ name, ...fault }));

test.each(allFaults)('a command that meets $name is repeated: $retried', async (fault) => {
  const endSilence = takeSilence();
  dynamodb.script(async (call) => {
    await fault.what({ ...call, forward });
    if (fault.silent) {
      endSilence();
    }
  });
  const { error, record, attempts } = await failureOf(3);
  expect(told(error)).toMatch(fault.logged);
  expect(attempts).toBe(fault.retried ? 3 : 1);
  expect(record).toStrictEqual({ failedAttempt: error, ...(fault.retried && { retries: 2 }) });
  expect(kindOf(error).code).toBe(fault.retried ? 'service_unavailable' : 'internal_error');
});

/** How DynamoDB cancels a transaction for these reasons. */
const cancelled = (...codes: string[]): Script => {
  const CancellationReasons = codes.map((Code) => ({ Code }));
  const __type = 'x#TransactionCanceledException';
  return respond(400, JSON.stringify({ __type, CancellationReasons }));
};
const conflict = cancelled('TransactionConflict');
const closed: Script = ({ response }) => response.destroy();

test.each<[what: string, script: Script]>([
  ['another write', respond(400, '{"__type":"x#TransactionConflictException"}')],
  ['another transaction', conflict],
  ['another transaction, and is throttled', cancelled('ThrottlingError', 'TransactionConflict')],
])('a command that meets %s is sent for as long as it has time', async (_what, script) => {
  aSecondEach();
  dynamodb.script(script);
  const { error, record, attempts } = await failureOf(3);
  expect(kindOf(error).code).toBe('service_unavailable');
  expect(attempts).toBe(inBusyTime);
  expect(record).toStrictEqual({ failedAttempt: error, retries: inBusyTime - 1 });
});

test('a lost response is followed by two attempts, whatever was met in between', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  dynamodb.script(conflict, closed, conflict, conflict, closed, conflict, closed);
  const { error, record, attempts } = await failureOf(3);
  expect([error.name, attempts]).toStrictEqual(['TransientError', 7]);
  expect(record).toMatchObject({ retries: 6 });
});

// update-inventory.txt shows that a command with a receipt is sent for as long as it has time.
test('a command with a receipt is sent within the quota of the SDK, too', async () => {
  dynamodb.script(closed);
  jest.spyOn(process, 'uptime').mockReturnValue(0);
  const { attempts } = await failureOf(3, { hasReceipt: true });
  // A retry after a lost response takes 14 of 500.
  expect(attempts).toBe(1 + Math.floor(500 / 14));
});

test.each<[what: string, script: Script]>([
  ['a command', respond(400, '{"__type":"x#ConditionalCheckFailedException"}')],
  ['a transaction', cancelled('None', 'ConditionalCheckFailed')],
  ['a transaction that meets others', cancelled('ConditionalCheckFailed', 'TransactionConflict')],
  ['a throttled transaction', cancelled('ThrottlingError', 'ConditionalCheckFailed')],
])('%s with a false condition is not repeated', async (_what, script) => {
  dynamodb.script(script);
  const { error, record, attempts } = await failureOf(3);
  expect(attempts).toBe(1);
  expect(record).toStrictEqual({ failedAttempt: error });
});

test('a command that was signed before its instance was frozen is signed again', async () => {
  const now = Date.parse('2027-01-15T08:00:00Z');
  jest.useFakeTimers({ ...onlyDates, now });
  const judge: Script = (call) => {
    const signedAt = String(call.headers['x-amz-date']);
    const isInTime = signedAt === new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    return isInTime ? ok(call) : faults['a signature that has expired'].what(call);
  };
  // It arrives when the instance goes on, an hour later.
  dynamodb.script((call) => {
    jest.setSystemTime(now + 3_600_000);
    return judge(call);
  }, judge);
  const client = await clientOf(dynamodb.endpoint);
  expect(await client.send(getItem())).toMatchObject({ Item });
  const signedAt = dynamodb.received.map(({ headers }) => headers['x-amz-date']);
  expect(signedAt).toStrictEqual(['20270115T080000Z', '20270115T090000Z']);
});

test.each([
  ['{"__type":"a#b#ValidationException"}', 'ValidationException', 'ValidationException'],
  ['{"__type":7,"message":["x"]}', 'UnknownError', 'x'],
  ['{"message":null}', 'UnknownError', 'UnknownError'],
])('an error %s is read, and the command is not repeated', async (body, name, message) => {
  // There is no checksum, because some local engines send errors without one.
  dynamodb.script(({ response }) => response.writeHead(400).end(body));
  const { error, attempts } = await failureOf(3);
  const $metadata = expect.objectContaining({ httpStatusCode: 400 });
  expect(error).toMatchObject({ name, message, $fault: 'client', $metadata });
  expect(attempts).toBe(1);
});

test.each<[when: string, begin: Script]>([
  ['before its response', () => {}],
  [
    'during its response',
    ({ response }) => new Promise((begun) => response.writeHead(200).write('{', begun)),
  ],
])('a command that is canceled %s is not repeated', async (_when, begin) => {
  const cancellation = new AbortController();
  dynamodb.script(async (call) => {
    await begin(call);
    cancellation.abort();
  });
  const options = { abortSignal: cancellation.signal };
  const { error, record, attempts } = await failureOf(3, options);
  expect([error.name, attempts]).toStrictEqual(['AbortError', 1]);
  expect(record).toStrictEqual({});
});

test('a command that waits for its turn is canceled at once', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(1);
  const cancellation = new AbortController();
  dynamodb.script(conflict);
  const { setTimeout } = globalThis;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, wait: number) =>
      wait === 50 ? cancellation.abort() : setTimeout(run, wait)) as never);
  const { error, attempts } = await failureOf(3, { abortSignal: cancellation.signal });
  expect([error.name, attempts]).toStrictEqual(['AbortError', 1]);
});
