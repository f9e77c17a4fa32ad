import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { HttpRequest } from '@smithy/types';
import { TransientError } from './failures.ts';
import { ResponseBuffer } from './response-buffer.ts';

export interface Exchange {
  /** The milliseconds without a byte of the response after which the exchange fails. */
  timeout: number;
  /** Ends the exchange when it aborts. */
  abortSignal?: AbortSignal | undefined;
  /** Holds the body of the response; a new one by default. */
  buffer?: ResponseBuffer | undefined;
}

export interface Response {
  statusCode: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export interface Connection {
  /**
   * Sends a request and reads its whole response.
   * @throws TransientError if it gets none, AbortError if it is aborted
   */
  send(request: HttpRequest, exchange: Exchange): Promise<Response>;
  close(): void;
}

/**
 * Connects to one endpoint by keep-alive connections. The first one is opened at once, during init,
 * so that no request waits for its handshakes.
 */
export const connect = (endpoint: URL): Connection => {
  const { Agent, request } = endpoint.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 50 });
  // urlToHttpOptions removes the brackets of an IPv6 address, which the SDK would keep.
  const hostname = String(urlToHttpOptions(endpoint).hostname);
  openInAdvance(agent, endpoint, hostname);

  return {
    send: ({ port, path, method, headers, body }, { timeout, abortSignal: signal, buffer }) =>
      new Promise((resolve, reject) => {
        const sent = request({ hostname, port, path, method, headers, agent, signal });
        const fail = (cause: Error) => {
          const message = `DynamoDB sent no complete response: ${cause.message}`;
          reject(signal?.aborted ? cause : new TransientError(message, { cause }));
        };
        const silence = setTimeout(() => {
          fail(new Error(`DynamoDB was silent for ${timeout} ms.`));
          sent.destroy();
        }, timeout);
        let hasBegun = false;
        sent.on('response', (response) => {
          hasBegun = true;
          const { statusCode, headers } = response;
          const received = buffer ?? new ResponseBuffer();
          received.clear();
          response.on('data', (chunk) => {
            silence.refresh();
            received.append(chunk);
          });
          response.on('end', () => resolve({ statusCode, headers, bytes: received.bytes }));
          response.on('error', fail);
        });
        sent.on('error', fail);
        sent.on('close', () => {
          clearTimeout(silence);
          // For a status that is no final response, such as 101, Node emits only this event.
          if (!hasBegun) {
            fail(new Error('its connection was closed'));
          }
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
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
const openInAdvance = (agent: http.Agent, { port, protocol }: URL, hostname: string): void => {
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
