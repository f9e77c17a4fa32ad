import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface Message {
  method?: string | undefined;
  /** Sent without normalization or escaping. */
  path: string;
  headers?: Record<string, string | string[] | undefined>;
  /** An array is sent in these chunks. */
  body?: string | Buffer[] | undefined;
  /** How much is read of an array, which is then closed after its last whole object. */
  mostCharacters?: number | undefined;
}

/** What a caller sees of a response. Integers in its body are exact. */
export interface HttpResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  body: unknown;
}

/** Makes JSON.parse read integers as bigint, so that no digit is lost. */
const exactIntegers = (_key: string, value: unknown, { source = '' }: { source?: string }) =>
  /^-?\d+$/.test(source) ? BigInt(source) : value;

/** In milliseconds: longer than any response of the service may pause. */
const mostSilence = 120_000;

/** Sends one request below a base URL and returns the response, whose body the caller reads. */
export const open = (
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: Message,
): Promise<IncomingMessage> => {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  const options = {
    hostname,
    port,
    method,
    path: `${pathname.replace(/\/$/, '')}${path}` || '/',
    // For some methods, such as DELETE, Node does not frame a body without this header.
    headers: {
      ...headers,
      ...(typeof body === 'string' && { 'Content-Length': Buffer.byteLength(body) }),
    },
    // A deployed stage may be behind the proxy of a company.
    agent: isSecure && new Agent({ proxyEnv: process.env }),
    timeout: mostSilence,
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(options, resolve).on('error', reject);
    request.on('timeout', () => request.destroy(new Error('There was no answer for two minutes.')));
    for (const chunk of [body ?? []].flat()) {
      request.write(chunk);
    }
    request.end();
  });
};

/** Sends one request and reads the whole response. */
export const sendRaw = async (baseUrl: string, message: Message): Promise<HttpResponse> => {
  const response = await open(baseUrl, message);
  const { statusCode: status = 0, headers } = response;
  const { mostCharacters } = message;
  const text =
    mostCharacters === undefined
      ? textOf(await buffer(response), headers)
      : await beginningOf(response, mostCharacters);
  const isJson = /^application\/json/.test(headers['content-type'] ?? '') && text !== '';
  return { status, headers, text, body: isJson ? JSON.parse(text, exactIntegers) : text };
};

const textOf = (bytes: Buffer, headers: IncomingMessage['headers']): string =>
  String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);

const beginningOf = async (response: IncomingMessage, mostCharacters: number): Promise<string> => {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > mostCharacters) {
      // This closes the connection.
      return `${text.slice(0, text.lastIndexOf('}') + 1)}]`;
    }
  }
  return text;
};
