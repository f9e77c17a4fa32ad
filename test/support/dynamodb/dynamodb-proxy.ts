import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { listen } from '../../../local/shared/local-server.ts';

/** A request on its way to DynamoDB. */
export interface Passing {
  /** The name of the operation, such as PutItem. */
  operation: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: every operation has its own input
  body: any;
  /** The response to the client, for a reaction that writes it itself. */
  response: ServerResponse;
  /**
   * Sends the request to the engine, with all changes made to it so far. `body` is `bytes` parsed
   * as JSON.
   */
  // biome-ignore lint/suspicious/noExplicitAny: every operation has its own output
  forward(): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer; body: any }>;
}

/**
 * The client gets this response, or the one that the reaction has written; if undefined, its
 * connection is closed.
 */
export type Reaction = { status: number; body: unknown } | 'written' | undefined;

/** Forwards the request and passes on the engine's response, byte for byte. */
export const pass = async ({ response, forward }: Passing): Promise<Reaction> => {
  const { status, headers, bytes } = await forward();
  response.writeHead(status, headers).end(bytes);
  return 'written';
};

/**
 * Starts a proxy in front of a DynamoDB engine. `react` decides what the client gets for each
 * request.
 */
export const dynamodbProxy = async (
  engine: string,
  react: (passing: Passing) => Promise<Reaction>,
) => {
  const server = createServer(async (message, response) => {
    const body = JSON.parse(await text(message));
    const { 'content-length': _length, host: _host, ...headers } = message.headers;
    const forward = async () => {
      const forwarded = request(engine, { method: 'POST', headers, agent: false }).end(
        JSON.stringify(body),
      );
      const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
      const bytes = await buffer(answer);
      return {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        bytes,
        body: JSON.parse(String(bytes)),
      };
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
  // On a busy machine, Node would cut off a request that arrives after five seconds without one.
  server.keepAliveTimeout = 0;
  let isOut = false;
  // The proxy does not keep the process alive.
  server.unref().on('connection', (socket) => {
    socket.unref();
    if (isOut) {
      socket.resetAndDestroy();
    }
  });
  const { address, close } = await listen(server);
  return {
    endpoint: `http://${address}`,
    /** Resets every connection, until the returned function is called. */
    startOutage: () => {
      isOut = true;
      server.closeAllConnections();
      return () => {
        isOut = false;
      };
    },
    close,
  };
};
