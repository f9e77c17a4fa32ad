import { once } from 'node:events';
import { connect } from 'node:net';
import { CreateTableCommand, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { localCredentials } from '../../../local/tables/tables.ts';

const table = { TableName: 'pets' };

const start = async () => {
  const engine = await startDynalite(undefined);
  const client = new DynamoDBClient({
    endpoint: engine.endpoint,
    region: 'us-east-1',
    credentials: localCredentials,
    maxAttempts: 1,
  });
  await client.send(
    new CreateTableCommand({
      ...table,
      AttributeDefinitions: [{ AttributeName: 'petId', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'petId', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  return { ...engine, update: () => client.send(new UpdateItemCommand({ ...table, Key: { petId: { N: '1' } } })) };
};

test('is closed without an error while updates of one entry wait for each other', async () => {
  const { update, close } = await start();
  const first = update();
  const others = Promise.allSettled(Array.from({ length: 50 }, update));
  await first;
  // What dynalite throws then is nobody's to catch: it would fail this test.
  await expect(close()).resolves.toBeUndefined();
  await others;
});

test('goes on when a client leaves in the middle of a request', async () => {
  const { endpoint, update, close } = await start();
  const { port, hostname } = new URL(endpoint);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"Table`);
  // It has been read once a later request is answered.
  await update();
  socket.resetAndDestroy();
  await once(socket, 'close');
  await expect(update()).resolves.toMatchObject({ $metadata: { httpStatusCode: 200 } });
  await close();
});
