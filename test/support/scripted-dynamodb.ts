import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll } from '@jest/globals';
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

/** Half a response, and no more for as long as the connection lasts. */
export const half: Script = (response) => response.writeHead(200, { 'content-length': 1000 }).write('{"Attr');

/** A response that is none: the server changes to another protocol, whose name may be in these lines. */
export const switchProtocols =
  (headers = ''): Script =>
  (response) =>
    response.socket?.end(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);

const open: (() => void)[] = [];
afterAll(() => {
  for (const close of open) {
    close();
  }
});

/** A server on loopback that follows a script: these responses in turn, and the last of them ever after. */
export class ScriptedDynamodb {
  readonly received: Received[] = [];
  readonly server: Server;
  #scripts: Script[] = [];

  constructor(server: Server = createServer()) {
    open.push(() => this.close());
    this.server = server.on('request', async (message: IncomingMessage, response: ServerResponse) => {
      const received = Object.assign(message, { body: await text(message) });
      this.received.push(received);
      const script = this.#scripts.length > 1 ? this.#scripts.shift() : this.#scripts[0];
      script?.(response, received);
    });
  }

  /** Starts a new script. */
  script(...scripts: Script[]): void {
    this.received.length = 0;
    this.#scripts = scripts;
  }

  async listen(port = 0): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** A new client of the functions for an endpoint, with retries and connections of its own. */
export const clientOf = async (endpoint: string, maxAttempts = 3): Promise<DynamoDBClient> => {
  setEnvironment({ AWS_SESSION_TOKEN: 'token', AWS_ENDPOINT_URL_DYNAMODB: endpoint });
  const { client, dynamodbClient } = await import('../../functions/dynamodb/dynamodb-client.ts');
  const fresh = dynamodbClient(maxAttempts);
  open.push(
    () => client.destroy(),
    () => fresh.destroy(),
  );
  return fresh;
};

export const getItem = () => new GetItemCommand({ TableName: 'keys', Key: { keyHash: { S: 'é' } } });
