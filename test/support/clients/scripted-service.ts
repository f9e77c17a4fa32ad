import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { serve } from '../http/serve.ts';

export type Reply = (response: ServerResponse, headers: IncomingHttpHeaders) => unknown;

const reply =
  (status: number, body: string, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);

/** petIds that a client may round, and the one that it would then change. */
export const exactPetIds = ['-9223372036854775808', '9007199254740993', '9223372036854775807'];
const petIds = ['1', ...exactPetIds, '9007199254740992'];

export const entryOf = (petId: string, quantity = '12') =>
  `{"petId":${petId},"quantity":${quantity},"status":"available"}`;
const entries = `[${petIds.map((petId) => entryOf(petId))}]`;

/** A list of entries, one of them with the petId 1. */
export const list = reply(200, entries);

/** The headers by which the service repeats the key of a request. */
const repeatedKey = ({ 'idempotency-key': key }: IncomingHttpHeaders) =>
  key === undefined ? {} : { 'Idempotency-Key': key };

/** The entry that a PATCH has named and set, as the service answers, or with other headers. */
const updatedWith =
  (keyHeaders: (headers: IncomingHttpHeaders) => object): Reply =>
  async (response, headers) => {
    const petId = response.req.url?.split('/').at(-1) ?? '';
    const [, quantity = ''] = /"quantity": ?(\d+)/.exec(await text(response.req)) ?? [];
    const others = { ETag: `"${quantity}-available"`, ...keyHeaders(headers) };
    return reply(200, entryOf(petId, quantity), others)(response, headers);
  };

const updated = updatedWith(repeatedKey);

/** An updated entry of a service that did not get the key, or got another one. */
export const updatedWithoutKey = updatedWith(() => ({}));
export const updatedWithOtherKey = updatedWith(() => ({ 'Idempotency-Key': 'other' }));

/** A 200 with any body, which repeats the key. */
export const answered =
  (body: string): Reply =>
  (response, headers) =>
    reply(200, body, repeatedKey(headers))(response, headers);

/** An Error response. */
export const failure =
  (status: number, headers = {}, code = 'x'): Reply =>
  (response, requested) =>
    reply(status, `{"code":"${code}","message":"x","status":${status}}`, {
      ...repeatedKey(requested),
      ...headers,
    })(response, requested);

/** A response of a proxy, whose body has no code. */
export const proxied = (status: number, headers = {}): Reply =>
  reply(status, '<html>', { 'Content-Type': 'text/html', ...headers });

/** A 412 that says how the entry is now. */
export const preconditionFailed = (etag: string): Reply =>
  failure(412, { ETag: etag }, 'precondition_failed');

/** A reply of a service that did not get the key. */
export const withoutKey =
  (answer: Reply): Reply =>
  (response, headers) =>
    answer(response, { ...headers, 'idempotency-key': undefined });

/** A list whose connection is cut before its end. */
export const cutList: Reply = (response) =>
  response.writeHead(200).write(entries.slice(0, -20), () => response.destroy());

/** A list that lacks its closing bracket, although its connection ends well. */
export const unclosedList = reply(200, entries.slice(0, -1));

/** An updated entry whose connection is cut before its end. */
export const cutEntry: Reply = (response) =>
  response.writeHead(200).write(entryOf('1').slice(0, 20), () => response.destroy());

/** No response, for ever. */
export const silent: Reply = () => {};

/** No response: the connection is cut when the whole request is there. */
export const cutConnection: Reply = (response) =>
  response.req.resume().once('end', () => response.socket?.resetAndDestroy());

/** A list for a client that asks for gzip, and a 400 for any other. */
export const gzippedList: Reply = (response, headers) =>
  /\bgzip\b/.test(String(headers['accept-encoding']))
    ? response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(entries))
    : failure(400)(response, headers);

/**
 * Serves an API that sends these replies first, and after them the list or the updated entry.
 * Returns its base URL and what it has received.
 */
export const scriptedService = async (first: Reply[] = []) => {
  const replies = [...first];
  const requests: {
    method: string;
    url: string;
    ifMatch: string | undefined;
    key: unknown;
    authorization: string | undefined;
    at: number;
  }[] = [];
  const origin = await serve(({ method = '', url = '', headers }, response) => {
    const { 'if-match': ifMatch, 'idempotency-key': key, authorization } = headers;
    requests.push({ method, url, ifMatch, key, authorization, at: performance.now() });
    const usual = method === 'GET' ? list : updated;
    (replies.shift() ?? usual)(response, headers);
  });
  const updates = () => requests.filter(({ method }) => method === 'PATCH');
  return {
    baseUrl: `${origin}/v1`,
    /** The methods of the requests so far. */
    methods: () => requests.map(({ method }) => method),
    /** The paths of the updates so far. */
    paths: () => updates().map(({ url }) => url),
    /** The If-Match of each update so far. */
    conditions: () => updates().map(({ ifMatch }) => ifMatch),
    /** The Idempotency-Key of each update so far: 1 for the first one, 2 for the next, and so on. */
    keys: () => {
      const keys = updates().map(({ key }) => key);
      const different = [...new Set(keys)];
      return keys.map((key) => (key === undefined ? undefined : different.indexOf(key) + 1));
    },
    /** The headers Authorization that the requests have had so far, each once. */
    authorizations: () => [...new Set(requests.map(({ authorization }) => authorization))],
    /** The seconds between each request and the one before it. */
    waits: () =>
      requests.slice(1).map(({ at }, index) => (at - (requests[index]?.at ?? at)) / 1_000),
  };
};
