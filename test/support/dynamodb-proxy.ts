import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request on its way to DynamoDB. */
export interface Passing {
  /** Such as PutItem. */
  operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the operation takes
  body: any;
  /** Sends the request on, as it is by then, and returns the response. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the operation returns
  forward(): Promise<{ status: number; body: any }>;
}

/** What the client gets; nothing is a connection that breaks. */
export type Reaction = { status: number; body: unknown } | undefined;

/** Stands between a client and a DynamoDB engine and may respond in its place. */
export const dynamodbProxy = async (endpoint: string, react: (passing: Passing) => Promise<Reaction>) => {
  const server = createServer(async (message: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(message));
    const operation = String(message.headers['x-amz-target']).replace(/^.*\./, '');
    const forward = async () => {
      const { 'content-length': _length, host: _host, ...headers } = message.headers;
      const [response] = (await once(
        request(endpoint, { method: 'POST', headers }).end(JSON.stringify(body)),
        'response',
      )) as [IncomingMessage];
      return { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) };
    };
    const reaction = await react({ operation, body, forward });
    if (!reaction) {
      response.destroy();
      return;
    }
    response.writeHead(reaction.status, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(reaction.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** The response of a DynamoDB that is asked for more than it can do just now. */
export const throttled: Reaction = {
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'The level of configured provisioned throughput for the table was exceeded.',
  },
};
