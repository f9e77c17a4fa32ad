import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { violations } from './openapi.ts';

export interface Message {
  method?: string;
  /** Sent as it is: no normalisation, no escaping. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | undefined;
}

const exactIntegers = (_key: string, value: unknown, { source = '' }: { source?: string }) =>
  /^-?\d+$/.test(source) ? BigInt(source) : value;

/** Sends one request below a base URL and hands back the response with its body still to be read. */
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
    // Node frames the body of some methods only when it is told to.
    headers: { ...headers, ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }) },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    request(options, resolve).on('error', reject).end(body);
  });
};

/** The same, and reads the whole response. In JSON, integers are bigint, so that every digit counts. */
export const sendRaw = async (baseUrl: string, message: Message) => {
  const response = await open(baseUrl, message);
  const bytes = await buffer(response);
  const { statusCode: status = 0, headers } = response;
  const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
  const isJson = /^application\/json/.test(headers['content-type'] ?? '') && text !== '';
  const body: unknown = isJson ? JSON.parse(text, exactIntegers) : text;
  return { status, headers, text, body };
};

export type HttpResponse = Awaited<ReturnType<typeof sendRaw>>;

/** The same for the API: every response must keep openapi.yaml. A deployment that is busy is asked again, up to three times. */
export const send = async (baseUrl: string, message: Message, attempts = 4): Promise<HttpResponse> => {
  const response = await sendRaw(baseUrl, message);
  const { method = 'GET', path } = message;
  const problems = violations(method, new URL(baseUrl).pathname.replace(/\/$/, '') + path, response);
  if (problems.length > 0) {
    throw new Error(`${method} ${path} responded ${response.status} ${response.text}\n${problems.join('\n')}`);
  }
  if (response.status === 429 && attempts > 1 && process.env.ACCEPTANCE_BASE_URL !== undefined) {
    await sleep(1_000 * Number(response.headers['retry-after']));
    return send(baseUrl, message, attempts - 1);
  }
  return response;
};

export const json = { 'Content-Type': 'application/json' };

/** A running service, as a client with an API key sees it. The base URL ends in `/v1`. */
export const serviceAt = (baseUrl: string, apiKey: string) => {
  const sendWithKey = (message: Message) =>
    send(baseUrl, { ...message, headers: { Authorization: `Bearer ${apiKey}`, ...message.headers } });
  return {
    baseUrl,
    apiKey,
    /** Sends a request as it is. */
    sendBare: (message: Message) => send(baseUrl, message),
    /** Sends a request with the API key, unless the headers say otherwise. */
    send: sendWithKey,
    /** Sends an update in the same way. */
    patch: (petId: bigint | number | string, body: string | undefined, headers: Message['headers'] = json) =>
      sendWithKey({ method: 'PATCH', path: `/inventory/${petId}`, headers, body }),
  };
};

export type Service = ReturnType<typeof serviceAt>;

/** What an Error response is; the rest of it is in openapi.yaml, and so checked whenever it is sent. */
export const errorResponse = (status: number, code: string, message: string) => ({
  status,
  body: { code, message, status: BigInt(status) },
});

export const unauthorized = errorResponse(
  401,
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
);
