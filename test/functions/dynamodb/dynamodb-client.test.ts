import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { isRetryable } from '../../../functions/dynamodb/transient-error.ts';
import { clientOf } from '../../support/dynamodb-clients.ts';
import { fail, half, respond, type Script, ScriptedDynamodb } from '../../support/scripted-dynamodb.ts';

const Item = { keyId: { S: 'key-1' } };
const ok = respond(200, JSON.stringify({ Item }));
const get = () => new GetItemCommand({ TableName: 'keys', Key: { keyHash: { S: 'é' } }, ConsistentRead: true });

describe('the client of the functions', () => {
  const dynamodb = new ScriptedDynamodb();
  let endpoint: string;
  beforeAll(async () => {
    endpoint = await dynamodb.listen();
  });
  afterAll(() => dynamodb.close());

  const attempt = async (maxAttempts?: number) => (await clientOf(endpoint, maxAttempts)).send(get());

  test('sends what the SDK would send', async () => {
    dynamodb.script(ok);
    const client = await clientOf(`${endpoint}/path`);
    const input = { TableName: 'inventory', Key: { petId: { N: '1' } }, ReturnValues: 'ALL_OLD' } as const;
    await client.send(new UpdateItemCommand(input));

    const [{ method, path, headers, body } = {}] = dynamodb.received;
    // The bundles leave out what adds these.
    const { 'user-agent': _agent, 'x-amz-user-agent': _sdk, ...sent } = headers ?? {};
    expect({ method, path, headers: sent }).toEqual({
      method: 'POST',
      path: '/path',
      headers: {
        host: `127.0.0.1:${dynamodb.port}`,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(body?.length),
        'x-amz-target': 'DynamoDB_20120810.UpdateItem',
        'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
        'x-amz-security-token': 'token',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, /,
        ),
        'amz-sdk-invocation-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'amz-sdk-request': 'attempt=1; max=3',
        connection: 'keep-alive',
      },
    });
    expect(JSON.parse(body ?? '')).toEqual(input);
  });

  test('counts the length of a body in bytes', async () => {
    dynamodb.script(ok);
    await attempt();
    const [{ headers, body } = {}] = dynamodb.received;
    expect(Number(headers?.['content-length'])).toBe(Buffer.byteLength(body ?? ''));
  });

  test('takes its credentials from the environment, each time anew', async () => {
    dynamodb.script(ok);
    const client = await clientOf(endpoint);
    process.env.AWS_ACCESS_KEY_ID = 'next';
    delete process.env.AWS_SESSION_TOKEN;
    await client.send(get());
    const [{ headers } = {}] = dynamodb.received;
    expect(headers?.authorization).toContain('Credential=next/');
    expect(headers).not.toHaveProperty('x-amz-security-token');
  });

  test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
    'says that there are no credentials without %s',
    async (name) => {
      const client = await clientOf(endpoint);
      delete process.env[name];
      await expect(client.send(get())).rejects.toThrow('The environment holds no AWS credentials.');
    },
  );

  test('opens its connection before the first request, and keeps it', async () => {
    const own = new ScriptedDynamodb();
    own.script(ok);
    const url = await own.listen();
    const connected = once(own.server, 'connection');
    const client = await clientOf(url);
    const [socket] = await connected;
    expect(own.received).toEqual([]);

    await client.send(get());
    await client.send(get());
    expect(own.received.map((received) => received.socket === socket)).toEqual([true, true]);
    own.close();
  });

  test('does not rely on that connection once it may have ended unheard', async () => {
    const usesTheFirst = async (unusedFor: number) => {
      const own = new ScriptedDynamodb();
      own.script(ok);
      const url = await own.listen();
      const connected = once(own.server, 'connection');
      const client = await clientOf(url);
      const [socket] = await connected;
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + unusedFor);
      await client.send(get());
      now.mockRestore();
      await client.send(get());
      own.close();
      return own.received.map((received) => received.socket === socket);
    };
    expect(await usesTheFirst(3_500)).toEqual([true, true]);
    expect(await usesTheFirst(4_500)).toEqual([false, false]);
  });

  test('speaks TLS where the endpoint does, and trusts no certificate of its own making', async () => {
    const [key, cert] = ['key', 'crt'].map((name) =>
      readFileSync(join(import.meta.dirname, `../../../node_modules/dynalite/ssl/server-${name}.pem`)),
    );
    const own = new ScriptedDynamodb(createServer({ ...(key && { key }), ...(cert && { cert }) }));
    own.script(ok);
    let handshakes = 0;
    own.server.on('connection', () => {
      handshakes += 1;
    });
    await own.listen();
    const client = await clientOf(`https://localhost:${own.port}`);
    const error = await client.send(get()).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'TransientError', cause: { message: expect.stringMatching(/certificate/) } });
    // One before the first of three attempts, or the first of them.
    expect([3, 4]).toContain(handshakes);
    expect(own.received).toEqual([]);
    own.close();
  });

  test('starts although nobody listens, and connects when it is asked to', async () => {
    const late = new ScriptedDynamodb();
    const url = await late.listen();
    const { port } = late;
    late.close();
    await once(late.server, 'close');
    const client = await clientOf(url);
    // Time for the connection to be refused.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await late.listen(port);
    late.script(ok);

    expect(await client.send(get())).toMatchObject({ Item });
    late.close();
  });

  test.each<[string, Script]>([
    ['a failure of the service', respond(503, '<html>')],
    ['an InternalServerError', fail('InternalServerError', 'Sorry', 500)],
    ['a throttled request', fail('ProvisionedThroughputExceededException')],
    ['a connection that ends', (response) => response.destroy()],
    [
      'a response that ends half-way',
      (response) => setTimeout(() => response.destroy(), 50) && half(response, {} as never),
    ],
    ['no HTTP', (response) => response.socket?.end('nonsense\r\n\r\n')],
    [
      'another protocol',
      (response) =>
        response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    ['another protocol without a name', (response) => response.socket?.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    ['a response without its checksum', (response) => response.writeHead(200).end('{}')],
    ['a response with another checksum', respond(200, '{}', { 'x-amz-crc32': '1' })],
    [
      'an error with another checksum',
      (response) => response.writeHead(400, { 'x-amz-crc32': '1' }).end('{"__type":"x"}'),
    ],
    ['no JSON', respond(200, '<html>')],
    ['a list', respond(200, '[]')],
    ['null', respond(400, 'null')],
    ['a number', respond(200, '7')],
  ])('tries again after %s', async (_what, failure) => {
    dynamodb.script(failure, ok);
    expect(await attempt()).toMatchObject({ Item });

    const attempts = dynamodb.received.map(({ headers }) => [
      headers['amz-sdk-request'],
      headers['amz-sdk-invocation-id'],
    ]);
    const invocation = attempts[0]?.[1];
    expect(attempts).toEqual([
      ['attempt=1; max=3', invocation],
      ['attempt=2; max=3', invocation],
    ]);
  });

  test('waits no longer than its own plan, whatever DynamoDB asks for', async () => {
    const patience = { 'retry-after': '5', 'x-amz-retry-after': '5000' };
    dynamodb.script(respond(503, '{}', patience), ok);
    const began = performance.now();
    await attempt();
    expect(performance.now() - began).toBeLessThan(4_500);
  });

  test.each([1, 2, 3])('gives up after %d attempts', async (maxAttempts) => {
    dynamodb.script(respond(500, '{}'));
    const error = await attempt(maxAttempts).catch((thrown) => thrown);
    expect(isRetryable(error)).toBe(true);
    expect(dynamodb.received).toHaveLength(maxAttempts);
  });

  test.each<[string, string, object]>([
    [
      '{"__type":"a#ConditionalCheckFailedException","message":"no"}',
      'ConditionalCheckFailedException',
      { message: 'no' },
    ],
    ['{"__type":"AccessDeniedException","Message":"not you"}', 'AccessDeniedException', { message: 'not you' }],
    ['{"__type":"a#b#ValidationException"}', 'ValidationException', { message: 'ValidationException' }],
    ['{"__type":"x#ResourceNotFoundException","message":null}', 'ResourceNotFoundException', {}],
    ['{"__type":null,"message":"x"}', 'UnknownError', { message: 'x' }],
    ['{"__type":7}', 'UnknownError', { message: 'UnknownError' }],
    ['{"__type":{}}', 'UnknownError', {}],
    ['{"message":["x"]}', 'UnknownError', { message: 'x' }],
    ['{}', 'UnknownError', { $fault: 'client', $metadata: expect.objectContaining({ httpStatusCode: 400 }) }],
    // A clock is set only by a response of another time.
    ['{"__type":"a#InvalidSignatureException","message":"no"}', 'InvalidSignatureException', {}],
  ])('takes %s for an error that will not pass', async (body, name, properties) => {
    dynamodb.script((response) => response.writeHead(400).end(body));
    const error = await attempt().catch((thrown) => thrown);
    expect(error).toMatchObject({ name, ...properties });
    expect(typeof error.message).toBe('string');
    expect(isRetryable(error)).toBe(false);
    expect(dynamodb.received).toHaveLength(1);
  });

  test('says that the request was cancelled, if it was', async () => {
    const cancellation = new AbortController();
    dynamodb.script(() => cancellation.abort());
    const client = await clientOf(endpoint);
    const error = await client.send(get(), { abortSignal: cancellation.signal }).catch((thrown) => thrown);
    expect([error.name, isRetryable(error)]).toEqual(['AbortError', false]);
    expect(dynamodb.received).toHaveLength(1);
  });

  test('tries again after 2 seconds without a response', async () => {
    dynamodb.script(() => {}, ok);
    const began = performance.now();
    expect(await attempt()).toMatchObject({ Item });
    expect(performance.now() - began).toBeGreaterThan(1_900);
  });
});
