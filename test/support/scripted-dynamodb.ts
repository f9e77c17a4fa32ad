import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { atEnd } from './at-end.ts';
import { setEnvironment } from './functions.ts';

/** A request, with its body as a text. */
export type Received = IncomingMessage & { body: string };

/** Responds in DynamoDB's place. */
export type Script = (response: ServerResponse, received: Received) => unknown;

/** A response with its checksum. */
export const respond =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Script =>
  (response) =>
    response.writeHead(status, { 'x-amz-crc32': String(crc32(body)), ...headers }).end(body);

/** A server on loopback that follows a script. */
export const scriptedDynamodb = async (server = createServer()) => {
  const received: Received[] = [];
  let scripts: Script[] = [];
  server.on('request', async (message, response) => {
    const request = Object.assign(message, { body: await text(message) });
    received.push(request);
    const script = scripts.length > 1 ? scripts.shift() : scripts[0];
    script?.(response, request);
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  atEnd(close);
  /** Starts a new script: these responses in turn, and the last of them ever after. */
  const script = (...next: Script[]) => {
    received.length = 0;
    scripts = next;
  };
  const endpoint = `http://127.0.0.1:${port}`;
  return { server, endpoint, port, received, script, close, reopen: () => listen(port) };
};

/** A new client of the functions for an endpoint, with retries and connections of its own. */
export const clientOf = async (endpoint: string, maxAttempts = 3): Promise<DynamoDBClient> => {
  setEnvironment({ AWS_SESSION_TOKEN: 'token', AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  const { client, dynamodbClient } = await import('../../functions/dynamodb/dynamodb-client.ts');
  const fresh = dynamodbClient(maxAttempts);
  atEnd(() => client.destroy());
  atEnd(() => fresh.destroy());
  return fresh;
};

export const getItem = () => new GetItemCommand({ TableName: 'keys', Key: { keyHash: { S: 'é' } } });
