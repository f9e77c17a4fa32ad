import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { HttpHandlerOptions, HttpRequest } from '@smithy/types';
import { TransientError } from './transient-error.ts';

type RequestHandler = Extract<DynamoDBClientConfig['requestHandler'], { handle: unknown }>;

/**
 * Sends the SDK's requests to one endpoint over keep-alive connections. It opens the first one at
 * once, during init, so that no request waits for its handshakes. An attempt fails after `timeout`
 * milliseconds without a byte.
 */
export const requestHandler = (endpoint: URL, timeout: number): RequestHandler => {
  const { Agent, request } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  // urlToHttpOptions removes the brackets of an IPv6 address, which the SDK would keep.
  const hostname = String(urlToHttpOptions(endpoint).hostname);
  openConnection(agent, endpoint, hostname);

  const handle = (
    { port, path, method, headers, body }: HttpRequest,
    { abortSignal }: HttpHandlerOptions = {},
  ) =>
    new Promise<{ response: object }>((resolve, reject) => {
      const signal = abortSignal as AbortSignal | undefined;
      const sent = request({
        hostname,
        port,
        path,
        method,
        headers,
        agent,
        timeout,
        signal,
      });
      const giveUp = () => sent.destroy(new Error(`DynamoDB was silent for ${timeout} ms.`));
      sent.on('timeout', giveUp);
      // A second timer, because during a TLS handshake, Node's own timeout fires only after twice
      // the time.
      const silence = setTimeout(giveUp, timeout);
      sent.on('response', (message: IncomingMessage) => {
        clearTimeout(silence);
        const { statusCode, statusMessage: reason, headers } = message;
        // With these headers, the SDK would wait longer than the limits in time-limits.ts allow
        // for.
        delete headers['retry-after'];
        delete headers['x-amz-retry-after'];
        resolve({ response: { statusCode, reason, headers, body: message } });
      });
      sent.on('error', (error) =>
        reject(
          signal?.aborted
            ? error
            : new TransientError(`DynamoDB sent no response: ${error.message}`, { cause: error }),
        ),
      );
      // For a status that is no final response, such as 101, Node emits only this event.
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

/**
 * Milliseconds for which an idle connection surely stays open. A frozen instance does not notice
 * its closing.
 */
const freshFor = 4_000;

/**
 * Opens a connection in advance. The agent uses it when it first needs one, unless it is no longer
 * fresh.
 */
const openConnection = (agent: http.Agent, { port, protocol }: URL, hostname: string): void => {
  const createConnection = agent.createConnection.bind(agent);
  const options = {
    host: hostname,
    servername: hostname,
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  const opened = createConnection(options);
  const openedAt = Date.now();
  // If this connection fails, the first request opens another, and handles the error if that fails,
  // too.
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
