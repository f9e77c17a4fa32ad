import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { listen } from '../../local/shared/local-server.ts';

/** A request on its way to DynamoDB. */
export interface Passing {
  /** Such as PutItem. */
  operation: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the operation takes
  body: any;
  /** For a reaction that writes the response itself. */
  response: ServerResponse;
  /** Sends the request on, as it is by then, and returns the engine's response: `body` is the JSON of its bytes. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the operation returns
  forward(): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer; body: any }>;
}

/** What the client gets: this, or what has been written to it already, or else a connection that breaks. */
export type Reaction = { status: number; body: unknown } | 'written' | undefined;

/** Hands the engine's response on, byte for byte. */
export const pass = async ({ response, forward }: Passing): Promise<Reaction> => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers).end(bytes);
  return 'written';
};

/** Stands between a client and a DynamoDB engine and may respond in its place. */
export const dynamodbProxy = async (engine: string, react: (passing: Passing) => Promise<Reaction>) => {
  const server = createServer(async (message, response) => {
    const body = JSON.parse(await text(message));
    const { 'content-length': _length, host: _host, ...headers } = message.headers;
    const forward = async () => {
      const forwarded = request(engine, { method: 'POST', headers, agent: false }).end(JSON.stringify(body));
      const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
      const bytes = await buffer(answer);
      return { status: answer.statusCode ?? 0, headers: answer.headers, bytes, body: JSON.parse(String(bytes)) };
    };
    const operation = String(headers['x-amz-target']).replace(/^.*\./, '');
    const reaction = await react({ operation, headers, body, response, forward });
    if (!reaction) {
      response.destroy();
    } else if (reaction !== 'written') {
      const json = JSON.stringify(reaction.body);
      response.writeHead(reaction.status, { 'x-amz-crc32': crc32(json) }).end(json);
    }
  });
  // It keeps no process from ending.
  server.unref().on('connection', (socket) => socket.unref());
  const { address, close } = await listen(server);
  return {
    endpoint: `http://${address}`,
    /** Listens again after it was closed, where it did before. */
    reopen: () => listen(server, Number(address.replace(/^.*:/, ''))),
    close,
  };
};
