import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The JSON value; integers as bigint, so that every digit counts. */
  body: unknown;
}

export interface Message {
  method?: string;
  /** Sent as it is: no normalisation, no escaping. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | undefined;
}

const exactIntegers = (_key: string, value: unknown, context?: { source?: string }) =>
  /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '') : value;

/** Sends one request below a base URL and hands back the answer with its body still to be read. */
export const open = (
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: Message,
): Promise<IncomingMessage> => {
  const { hostname, port, pathname } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path: `${pathname}${path}`, headers, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
};

/** Sends one request below a base URL and reads the whole answer. */
export const send = async (baseUrl: string, message: Message): Promise<Answer> => {
  const answer = await open(baseUrl, message);
  const bytes = await buffer(answer);
  const { statusCode: status = 0, headers } = answer;
  const text = String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
  return { status, headers, body: JSON.parse(text, exactIntegers) };
};

/** The part of an answer that the contract fixes. */
export const contract = ({ status, headers, body }: Answer) => ({
  status,
  contentType: headers['content-type'],
  body,
});

/** What `contract` gives for an Error answer. */
export const errorAnswer = (status: number, code: string, message: string) => ({
  status,
  contentType: 'application/json',
  body: { code, message, status: BigInt(status) },
});
