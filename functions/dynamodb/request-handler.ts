import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { HttpHandlerOptions, HttpRequest } from '@smithy/types';
import { TransientError } from './transient-error.ts';

type RequestHandler = Extract<DynamoDBClientConfig['requestHandler'], { handle: unknown }>;

/**
 * Sends the SDK's requests to one endpoint on connections that stay open. The first is opened at once:
 * during init, so that no request waits for its handshakes. An attempt fails after so many milliseconds of silence.
 */
export const requestHandler = (endpoint: URL, timeout: number): RequestHandler => {
  const { Agent, request } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  // Without the brackets of an IPv6 address, which the SDK leaves in.
  const hostname = String(urlToHttpOptions(endpoint).hostname);
  openConnection(agent, endpoint, hostname);

  const handle = ({ port, path, method, headers, body }: HttpRequest, { abortSignal }: HttpHandlerOptions = {}) =>
    new Promise<{ response: object }>((resolve, reject) => {
      const signal = abortSignal as AbortSignal | undefined;
      const sent = request({ hostname, port, path, method, headers, agent, timeout, ...(signal && { signal }) });
      const giveUp = () => sent.destroy(new Error(`DynamoDB was silent for ${timeout} ms.`));
      sent.on('timeout', giveUp);
      // In a TLS handshake, Node's own timeout takes twice as long.
      const silence = setTimeout(giveUp, timeout);
      sent.on('response', (message: IncomingMessage) => {
        clearTimeout(silence);
        const { statusCode, statusMessage: reason, headers } = message;
        // The SDK would wait for seconds more than maxAttempts counts on.
        delete headers['retry-after'];
        delete headers['x-amz-retry-after'];
        resolve({ response: { statusCode, reason, headers, body: message } });
      });
      sent.on('error', (error) =>
        reject(
          signal?.aborted ? error : new TransientError(`DynamoDB sent no response: ${error.message}`, { cause: error }),
        ),
      );
      // Of a response that is none, such as 101, Node tells nothing but this.
      sent.on('close', () => {
        clearTimeout(silence);
        reject(new TransientError('DynamoDB sent no response.'));
      });
      sent.end(body);
    });

  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle,
    destroy: () => agent.destroy(),
    updateHttpClientConfig: () => {},
    httpHandlerConfigs: () => ({}),
  } as RequestHandler;
};

/** Milliseconds for which an unused connection is sure to be open still: a frozen instance does not learn that it ended. */
const freshFor = 4_000;

/** Lets the agent find a connection open when it needs its first. */
const openConnection = (agent: http.Agent, { port, protocol }: URL, hostname: string): void => {
  const createConnection = agent.createConnection.bind(agent);
  const options = { host: hostname, servername: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const opened = createConnection(options);
  const openedAt = Date.now();
  // Whatever fails here fails again, and is handled, when a request needs a connection.
  opened?.on('error', () => {});
  agent.createConnection = (...request) => {
    agent.createConnection = createConnection;
    if (opened?.destroyed || Date.now() - openedAt > freshFor) {
      opened?.destroy();
      return createConnection(...request);
    }
    return opened;
  };
};
