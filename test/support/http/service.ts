import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface Message {
  method?: string;
  /** Sent without normalization or escaping. */
  path: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: string | Buffer | undefined;
}

/** Makes JSON.parse read integers as bigint, so that no digit is lost. */
const exactIntegers = (_key: string, value: unknown, { source = '' }: { source?: string }) =>
  /^-?\d+$/.test(source) ? BigInt(source) : value;

/** Sends one request below a URL and returns the response, whose body the caller reads. */
export const open = (
  url: string,
  { method = 'GET', path, headers = {}, body }: Message,
): Promise<IncomingMessage> => {
  const { hostname, port, pathname } = new URL(url);
  // For some methods, such as DELETE, Node does not frame a body without this header.
  const framed = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const options = {
    hostname,
    port,
    method,
    path: `${pathname.replace(/\/$/, '')}${path}` || '/',
    headers: { ...headers, ...framed },
    agent: false,
  };
  return new Promise((resolve, reject) => {
    request(options, resolve).on('error', reject).end(body);
  });
};

/** Sends one request and reads the whole response. */
export const sendRaw = async (url: string, message: Message) => {
  const response = await open(url, message);
  const bytes = await buffer(response);
  const { statusCode: status = 0, headers } = response;
  const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
  const isJson = headers['content-type'] === 'application/json' && text !== '';
  const body: unknown = isJson ? JSON.parse(text, exactIntegers) : text;
  return { status, headers, text, body };
};

const json = { 'Content-Type': 'application/json' };

/** Returns a client that calls a running service with an API key. The base URL ends in `/v1`. */
export const serviceAt = (baseUrl: string, apiKey: string) => {
  const send = (message: Message) =>
    sendRaw(baseUrl, {
      ...message,
      headers: { Authorization: `Bearer ${apiKey}`, ...message.headers },
    });
  return {
    baseUrl,
    apiKey,
    /** Sends a request without the API key. */
    sendBare: (message: Message) => sendRaw(baseUrl, message),
    /** Sends a request with the API key, unless the message has its own Authorization header. */
    send,
    /** Sends an update with the API key. */
    patch: (petId: bigint | number | string, body: string | undefined, headers: object = json) =>
      send({ method: 'PATCH', path: `/inventory/${petId}`, headers: { ...headers }, body }),
  };
};

/** Returns what tests compare of an Error response. */
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
