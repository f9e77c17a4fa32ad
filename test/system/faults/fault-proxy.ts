import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

/** A request of a function to DynamoDB. */
export interface Call {
  /** Such as UpdateItem. */
  operation: string;
  input: { Key?: object; Segment?: number; ExclusiveStartKey?: object };
  headers: IncomingMessage['headers'];
  response: ServerResponse;
  /** Has the engine do it, which a fault may put off or leave out. */
  forward(): Promise<EngineResponse>;
}

export interface EngineResponse {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface Fault {
  on: 'UpdateItem' | 'Scan' | 'GetItem';
  /** Which of these calls; all without it. */
  where?: (input: Call['input']) => boolean;
  /** What happens instead of the call. */
  what: (call: Call) => unknown;
  /** How many calls it happens to. */
  times: number;
}

/** Writes the whole of the engine's response. */
export const pass = async ({ response, forward }: Call): Promise<void> => {
  const { status, headers, body } = await forward();
  response.writeHead(status, headers).end(body);
};

/**
 * Stands between the functions and a DynamoDB engine: hands every call on, but for those that a fault
 * happens to. `calls` has them all, in order.
 */
export class FaultProxy {
  readonly calls: Pick<Call, 'operation' | 'input'>[] = [];
  /** Entries a page of a scan, whatever the function asks for: DynamoDB too may send fewer. */
  pageSize: number | undefined;
  /** How many calls have neither a response nor an end. */
  underWay = 0;
  readonly #faults = new Set<Fault>();
  readonly #engine: URL;
  readonly #server = createServer((message, response) => void this.#serve(message, response));

  constructor(engine: string) {
    this.#engine = new URL(engine);
  }

  async listen(onPort = 0): Promise<string> {
    this.#server.listen(onPort, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Rejects every connection, until what it returns is called. */
  leave(): () => Promise<string> {
    const { port } = this.#server.address() as AddressInfo;
    this.close();
    return () => this.listen(port);
  }

  /** Begins a fault, which ends when it has happened so often, or when what is returned is called. */
  inject(fault: Fault): () => void {
    const active = { ...fault };
    this.#faults.add(active);
    return () => this.#faults.delete(active);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    this.underWay += 1;
    response.on('close', () => {
      this.underWay -= 1;
    });
    const operation = String(message.headers['x-amz-target']).replace(/.*\./, '');
    const input = JSON.parse(await text(message));
    this.calls.push({ operation, input });
    const body = JSON.stringify({ ...input, ...(operation === 'Scan' && this.pageSize && { Limit: this.pageSize }) });
    const call = { operation, input, headers: message.headers, response, forward: () => this.#forward(message, body) };
    const fault = [...this.#faults].find(
      ({ on, where = () => true, times }) => on === operation && times > 0 && where(input),
    );
    if (fault) {
      fault.times -= 1;
    }
    await (fault?.what ?? pass)(call);
  }

  #forward({ method, url: path, headers }: IncomingMessage, body: string): Promise<EngineResponse> {
    const { hostname, port } = this.#engine;
    return new Promise((resolve, reject) => {
      const length = { 'content-length': Buffer.byteLength(body) };
      request({ hostname, port, method, path, headers: { ...headers, ...length } }, async (message) => {
        resolve({ status: message.statusCode ?? 0, headers: message.headers, body: await buffer(message) });
      })
        .on('error', reject)
        .end(body);
    });
  }
}
