import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { serve } from '../http/serve.ts';

export type Reply = (response: ServerResponse, headers: IncomingHttpHeaders) => unknown;

const reply =
  (status: number, body: string, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);

const entry = '{"petId":1,"quantity":12,"status":"available"}';

/** A list of one entry, with the petId 1. */
export const list = reply(200, `[${entry}]`);
export const updated = reply(200, entry, { ETag: '"12-available"' });

/** An Error response. */
export const failure = (status: number, headers = {}): Reply =>
  reply(status, `{"code":"x","message":"x","status":${status}}`, headers);

/** A 412 that says how the entry is now. */
export const preconditionFailed = (etag: string): Reply => failure(412, { ETag: etag });

/** A list whose connection is cut before its end. */
export const cutList: Reply = (response) =>
  response.writeHead(200).write(`[${entry}`, () => response.destroy());

/** A list that lacks its closing bracket, although its connection ends well. */
export const unclosedList = reply(200, `[${entry}`);

/** An updated entry whose connection is cut before its end. */
export const cutEntry: Reply = (response) =>
  response.writeHead(200).write(entry.slice(0, 20), () => response.destroy());

/** A list for a client that asks for gzip, and a 400 for any other. */
export const gzippedList: Reply = (response, headers) =>
  /\bgzip\b/.test(String(headers['accept-encoding']))
    ? response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(`[${entry}]`))
    : failure(400)(response, headers);

/**
 * Serves an API that sends these replies first, and after them the list or the updated entry.
 * Returns its base URL and what it has received.
 */
export const scriptedService = async (first: Reply[] = []) => {
  const replies = [...first];
  const requests: { method: string; ifMatch: string | undefined; at: number }[] = [];
  const origin = await serve(({ method = '', headers }, response) => {
    requests.push({ method, ifMatch: headers['if-match'], at: performance.now() });
    const usual = method === 'GET' ? list : updated;
    (replies.shift() ?? usual)(response, headers);
  });
  return {
    baseUrl: `${origin}/v1`,
    /** The methods of the requests so far. */
    methods: () => requests.map(({ method }) => method),
    /** The If-Match of each PATCH so far. */
    conditions: () =>
      requests.filter(({ method }) => method === 'PATCH').map(({ ifMatch }) => ifMatch),
    /** The seconds between each request and the one before it. */
    waits: () =>
      requests.slice(1).map(({ at }, index) => (at - (requests[index]?.at ?? at)) / 1_000),
  };
};
