import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  socket: Socket;
}

/** Responds in DynamoDB's place. */
export type Script = (response: ServerResponse, received: Received) => unknown;

export const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Script =>
  (response) =>
    response.writeHead(status, { 'x-amz-crc32': String(crc32(body)), ...headers }).end(body);

/** An error in the form of DynamoDB. */
export const fail = (name: string, message = 'No.', status = 400): Script =>
  respond(status, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }));

/** Half a response, and no more for as long as the connection lasts. */
export const half: Script = (response) => response.writeHead(200, { 'content-length': 1000 }).write('{"Attr');

/** A server on loopback that follows a script: these responses in turn, and the last of them ever after. */
export class ScriptedDynamodb {
  readonly received: Received[] = [];
  readonly server: Server;
  #scripts: Script[] = [];

  constructor(server: Server = createServer()) {
    this.server = server.on('request', async (message: IncomingMessage, response: ServerResponse) => {
      const { method = '', url: path = '', headers, socket } = message;
      const received = { method, path, headers, socket, body: await text(message) };
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
