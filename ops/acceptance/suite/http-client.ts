import { AsyncLocalStorage } from 'node:async_hooks';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { violations } from './openapi.ts';

export interface Message {
  method?: string;
  /** Sent without normalization or escaping. */
  path: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: string | Buffer | undefined;
}

/** Makes JSON.parse read integers as bigint, so that no digit is lost. */
export const exactIntegers = (
  _key: string,
  value: unknown,
  { source = '' }: { source?: string },
) => (/^-?\d+$/.test(source) ? BigInt(source) : value);

/** Sends one request below a base URL and returns the response, whose body the caller reads. */
export const open = (
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: Message,
): Promise<IncomingMessage> => {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  const options = {
    hostname,
    port,
    method,
    path: `${pathname.replace(/\/$/, '')}${path}` || '/',
    // For some methods, such as DELETE, Node does not frame a body without this header.
    headers: {
      ...headers,
      ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
    },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    request(options, resolve).on('error', reject).end(body);
  });
};

/**
 * Sends one request and reads the whole response. Integers in JSON become bigint, so that no digit
 * is lost.
 */
export const sendRaw = async (baseUrl: string, message: Message): Promise<HttpResponse> => {
  const response = await open(baseUrl, message);
  const bytes = await buffer(response);
  const { statusCode: status = 0, headers } = response;
  const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
  const isJson = /^application\/json/.test(headers['content-type'] ?? '') && text !== '';
  const body: unknown = isJson ? JSON.parse(text, exactIntegers) : text;
  const received = { status, headers, text, body };
  responsesSeen.getStore()?.push(received);
  return received;
};

/** What a caller sees of a response. */
export interface HttpResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  body: unknown;
}

/** Collects the responses to all requests that are sent in a function. */
export const responsesSeen = new AsyncLocalStorage<HttpResponse[]>();

/**
 * Sends a request to the API, again after each 429 as often as `retries` says, and throws if a
 * response breaks openapi.yaml.
 */
export const send = async (
  baseUrl: string,
  message: Message,
  { retries }: Retries = { retries: 0 },
): Promise<HttpResponse> => {
  const response = await sendRaw(baseUrl, message);
  const { method = 'GET', path } = message;
  const pathname = new URL(baseUrl).pathname.replace(/\/$/, '') + path;
  const problems = violations(method, pathname, response);
  if (problems.length > 0) {
    throw new Error(
      `${method} ${path} responded ${response.status} ${response.text}\n${problems.join('\n')}`,
    );
  }
  if (response.status === 429 && retries > 0) {
    await sleep(1_000 * Number(response.headers['retry-after']));
    return send(baseUrl, message, { retries: retries - 1 });
  }
  return response;
};

interface Retries {
  /** How often a request is sent again because of a 429. */
  retries: number;
}

export const json = { 'Content-Type': 'application/json' };

/** Returns a client that calls a running service with an API key. The base URL ends in `/v1`. */
export const serviceAt = (baseUrl: string, apiKey: string, retries?: Retries) => {
  const sendBare = (message: Message) => send(baseUrl, message, retries);
  const sendWithKey = (message: Message) =>
    sendBare({ ...message, headers: { Authorization: `Bearer ${apiKey}`, ...message.headers } });
  return {
    baseUrl,
    apiKey,
    /** Sends a request without the API key. */
    sendBare,
    /** Sends a request with the API key, unless the message has its own Authorization header. */
    send: sendWithKey,
    /** Sends an update with the API key. */
    patch: (
      petId: bigint | number | string,
      body: string | undefined,
      headers: Message['headers'] = json,
    ) => sendWithKey({ method: 'PATCH', path: `/inventory/${petId}`, headers, body }),
  };
};

export type Service = ReturnType<typeof serviceAt>;

/**
 * Returns what tests compare of an Error response. `send` checks the rest of it against
 * openapi.yaml.
 */
export const errorResponse = (status: number, code: string, message: string) => ({
  status,
  body: { code, message, status: BigInt(status) },
});

export const unauthorized = errorResponse(
  401,
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. ' +
    'Send "Authorization: Bearer <API_KEY>".',
);
