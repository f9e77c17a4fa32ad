import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { firstByteTimeout } from '../../../functions/shared/time-limits.ts';
import { clientOf } from '../../support/dynamodb-clients.ts';
import { half, respond, ScriptedDynamodb } from '../../support/scripted-dynamodb.ts';

const get = () => new GetItemCommand({ TableName: 'keys', Key: { keyHash: { S: 'x' } } });
const ok = respond(200, '{"Item":{"keyId":{"S":"key-1"}}}');

test('the client gets a response over TLS', async () => {
  const pem = (name: string) =>
    readFileSync(join(import.meta.dirname, `../../../node_modules/dynalite/ssl/server-${name}.pem`));
  const dynamodb = new ScriptedDynamodb(createTlsServer({ key: pem('key'), cert: pem('crt') }));
  dynamodb.script(ok);
  await dynamodb.listen();
  const script = `
    import { GetItemCommand } from '@aws-sdk/client-dynamodb';
    import { client } from './functions/dynamodb/dynamodb-client.ts';
    const { Item } = await client.send(new GetItemCommand({ TableName: 'keys', Key: { keyHash: { S: 'x' } } }));
    console.log(JSON.stringify(Item));
    process.exit();
  `;
  const env = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL_DYNAMODB: `https://localhost:${dynamodb.port}`,
    // The certificate of the engine's package is of no authority.
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  const args = ['--input-type=module', '-e', script];
  const cwd = join(import.meta.dirname, '../../..');
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd });
  dynamodb.close();
  expect(JSON.parse(stdout)).toEqual({ keyId: { S: 'key-1' } });
});

test('tries again after half a response and 2 seconds of silence', async () => {
  const dynamodb = new ScriptedDynamodb();
  dynamodb.script(half, ok);
  const client = await clientOf(await dynamodb.listen());
  expect(await client.send(get())).toMatchObject({ Item: { keyId: { S: 'key-1' } } });
  expect(dynamodb.received).toHaveLength(2);
  dynamodb.close();
});

test('waits no longer for a handshake than for a response', async () => {
  let connections = 0;
  const server = createServer(() => {
    connections += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = await clientOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const began = performance.now();
  await expect(client.send(get())).rejects.toThrow('DynamoDB was silent for 2000 ms.');
  expect(connections).toBe(3);
  expect(performance.now() - began).toBeLessThan(firstByteTimeout);
  server.close();
});
