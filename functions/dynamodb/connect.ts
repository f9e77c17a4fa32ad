import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import type { HttpRequest } from '@smithy/types';
import { TransientError } from './failures.ts';
import { freshAgent } from './fresh-agent.ts';

/**
 * Holds the body of one response at a time, outside of V8's heap. It can be reused: a new one for
 * every page of a list would fragment the memory of the process, which then takes 100 MiB more.
 */
export class ResponseBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** What was appended since the buffer was cleared; valid until it is cleared again. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  append(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }
}

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

export interface Connections {
  /**
   * Sends a request and reads its whole response.
   * @throws TransientError if it gets none, AbortError if it is aborted
   */
  send(request: HttpRequest, exchange: Exchange): Promise<Response>;
  close(): void;
}

/** Connects to one endpoint by keep-alive connections, the first of which is opened at once. */
export const connect = (endpoint: URL): Connections => {
  const { request } = endpoint.protocol === 'https:' ? https : http;
  // urlToHttpOptions removes the brackets of an IPv6 address, which the SDK would keep.
  const hostname = String(urlToHttpOptions(endpoint).hostname);
  const { agent, closeStale } = freshAgent(endpoint, hostname);

  return {
    send: ({ port, path, method, headers, body }, { timeout, abortSignal: signal, buffer }) =>
      new Promise((resolve, reject) => {
        closeStale();
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
