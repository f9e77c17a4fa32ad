import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { firstByteTimeout } from '../../../functions/shared/time-limits.ts';
import { deployed, startUpdateInventory } from '../deployed-function.ts';

const updated = '{"Attributes":{"petId":{"N":"1"},"quantity":{"N":"7"},"status":{"S":"sold"}}}';
const sold = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: '{"petId":1,"quantity":7,"status":"sold"}',
};

/** The SDK sends DynamoDB a header with the hash of the body that DynamoDB does not ask for. */
const unhashed = { applyChecksum: false };

const cutOff = async (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': 1000 }).write('{"Attr');
  await setTimeout(50);
  response.destroy();
};

const answerWith = (status: number, body: string) => (response: ServerResponse) =>
  response.writeHead(status, { 'x-amz-crc32': crc32(body) }).end(body);
const ok = answerWith(200, updated);

describe('the client of a deployed function', () => {
  let server: Server;
  const received: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string; socket: Socket })[] = [];

  afterEach(() => {
    received.length = 0;
    server.close();
    server.closeAllConnections();
  });

  /** Starts a server in DynamoDB's place, which gives these answers in turn and the last of them ever after. */
  const listen = async (of: Server, ...answers: ((response: ServerResponse) => unknown)[]) => {
    server = of;
    server.on('request', async (message: IncomingMessage, response: ServerResponse) => {
      const { method, url, headers, socket } = message;
      received.push({ method, url, headers, socket, body: await text(message) });
      answers[Math.min(received.length, answers.length) - 1]?.(response);
    });
    server.listen(0);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const startFor = async (endpoint: string, environment: Record<string, string> = {}) =>
    startUpdateInventory({
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'first',
      AWS_SECRET_ACCESS_KEY: 'first secret',
      AWS_SESSION_TOKEN: 'first token',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      ...environment,
    });

  test('signs as the SDK does, each time with the credentials that the environment then holds', async () => {
    const port = await listen(createServer(), ok);
    const instance = await startFor(`http://localhost:${port}`);
    await instance.patch();
    await instance.patch({
      AWS_ACCESS_KEY_ID: 'next',
      AWS_SECRET_ACCESS_KEY: 'next secret',
      AWS_SESSION_TOKEN: 'next token',
    });

    for (const name of ['first', 'next']) {
      const { method = '', url: path = '', headers, body = '' } = received.shift() ?? {};
      const { authorization, ...signed } = headers as Record<string, string>;
      expect(signed['x-amz-security-token']).toBe(`${name} token`);
      const credentials = { accessKeyId: name, secretAccessKey: `${name} secret`, sessionToken: `${name} token` };
      const signer = await new DynamoDBClient({ ...unhashed, region: 'eu-west-1', credentials }).config.signer();
      const request = { method, path, headers: signed, body, protocol: 'http:', hostname: 'localhost', query: {} };
      const [year, month, day, ...time] = signed['x-amz-date']?.match(/^\d{4}|\d\d/g) ?? [];
      const signingDate = new Date(`${year}-${month}-${day}T${time.join(':')}Z`);
      expect(authorization).toBe((await signer.sign(request, { signingDate })).headers.authorization);
    }
  });

  test('sends what the SDK would send', async () => {
    const port = await listen(createServer(), ok);
    expect(await (await startFor(`http://localhost:${port}/path`)).patch()).toEqual(sold);

    const [{ method, url, headers, body } = {}] = received;
    expect({ method, url, type: headers?.['content-type'], target: headers?.['x-amz-target'] }).toEqual({
      method: 'POST',
      url: '/path',
      type: 'application/x-amz-json-1.0',
      target: 'DynamoDB_20120810.UpdateItem',
    });
    expect(JSON.parse(body ?? '')).toEqual({
      TableName: 'inventory',
      Key: { petId: { N: '1' } },
      UpdateExpression: 'SET quantity = :quantity',
      ConditionExpression: 'attribute_exists(petId)',
      ExpressionAttributeValues: { ':quantity': { N: '7' } },
      ReturnValues: 'ALL_OLD',
    });
  });

  test('opens its connection during init, and keeps it', async () => {
    const port = await listen(createServer(), ok);
    const connected = once(server, 'connection', { signal: AbortSignal.timeout(5_000) });
    const instance = await startFor(`http://localhost:${port}`);
    const [socket] = await connected;
    expect(received).toEqual([]);

    await instance.patch();
    await instance.patch();
    expect(received.map((request) => request.socket === socket)).toEqual([true, true]);
  });

  test('does not rely on that connection once it may have ended unheard', async () => {
    const port = await listen(createServer(), ok);
    const connected = once(server, 'connection', { signal: AbortSignal.timeout(5_000) });
    const instance = await startFor(`http://localhost:${port}`);
    const [socket] = await connected;
    await setTimeout(4_100);

    expect(await instance.patch()).toEqual(sold);
    expect(received.map((request) => request.socket === socket)).toEqual([false]);
  });

  test('starts although nothing answers, and connects when it is asked to', async () => {
    const port = await listen(createServer(), ok);
    server.close();
    const instance = await startFor(`http://localhost:${port}`);
    // Time for the connection to be refused.
    await setTimeout(200);
    server.listen(port);

    expect(await instance.patch()).toEqual(sold);
  });

  test('speaks TLS where the endpoint does', async () => {
    const pem = (name: string) =>
      readFileSync(join(import.meta.dirname, `../../../node_modules/dynalite/ssl/server-${name}.pem`));
    const port = await listen(createTlsServer({ key: pem('key'), cert: pem('crt') }), ok);
    const connected = once(server, 'secureConnection', { signal: AbortSignal.timeout(5_000) });
    // The certificate of the engine's package is of no authority.
    const instance = await startFor(`https://localhost:${port}`, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    await connected;

    expect(await instance.patch()).toEqual(sold);
    const untrusting = await startFor(`https://localhost:${port}`);
    expect((await untrusting.patch()).statusCode).toBe(503);
    expect(untrusting.errors()).toContain('certificate');
  });

  const throttled =
    '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow"}';

  test.each([
    ['a failure of the service', answerWith(503, '<html>')],
    ['a throttled request', answerWith(400, throttled)],
    ['a connection that ends', (response: ServerResponse) => response.destroy()],
    ['an answer that ends half-way', (response: ServerResponse) => cutOff(response)],
    ['no answer for 2 seconds', () => {}],
    ['half an answer and 2 seconds of silence', (response: ServerResponse) => response.writeHead(200).write('{"Attr')],
  ])(
    'tries again after %s',
    async (_what, failure) => {
      const port = await listen(createServer(), failure, ok);
      expect(await (await startFor(`http://localhost:${port}`)).patch()).toEqual(sold);

      const attempts = received.map(({ headers }) => [headers['amz-sdk-request'], headers['amz-sdk-invocation-id']]);
      const invocation = attempts[0]?.[1];
      expect(attempts).toEqual([
        ['attempt=1; max=3', invocation],
        ['attempt=2; max=3', invocation],
      ]);
    },
    10_000,
  );

  test('waits no longer for a handshake than for an answer', async () => {
    const port = await listen(createTlsServer().removeAllListeners('connection'), ok);
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    const instance = await startFor(`https://localhost:${port}`);
    const began = performance.now();

    expect((await instance.patch()).statusCode).toBe(503);
    expect(connections).toBe(3);
    expect(performance.now() - began).toBeLessThan(firstByteTimeout);
  });

  test('gives up after three attempts', async () => {
    const port = await listen(createServer(), answerWith(500, '{}'));
    expect((await (await startFor(`http://localhost:${port}`)).patch()).statusCode).toBe(503);
    expect(received).toHaveLength(3);
  });

  test.each([
    ['{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no"}', 404],
    ['{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"not you"}', 500],
    // A clock is set only by an answer of another time.
    ['{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"no"}', 500],
  ])('takes the error %s for one that will not pass', async (error, status) => {
    const port = await listen(createServer(), answerWith(400, error));
    expect((await (await startFor(`http://localhost:${port}`)).patch()).statusCode).toBe(status);
    expect(received).toHaveLength(1);
  });

  test('logs errors with positions in the sources', async () => {
    const port = await listen(
      createServer(),
      answerWith(400, '{"__type":"a#AccessDeniedException","Message":"not you"}'),
    );
    const instance = await startFor(`http://localhost:${port}`);
    await instance.patch();

    expect(instance.errors()).toContain('"errorType":"AccessDeniedException","errorMessage":"not you"');
    expect(instance.errors()).toMatch(/\(functions\/inventory\/inventory-table\.ts:\d+:\d+\)/);
    expect(instance.errors()).not.toContain(deployed('UpdateInventory').directory);
  });
});
