import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { type HttpResponse, sendRaw } from '../../../ops/acceptance/suite/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { localRun } from '../../support/local/local-run.ts';
import { ops } from '../../support/ops/ops.ts';

const run = await localRun();

type Received = Pick<IncomingMessage, 'url' | 'headers'> & { body: string };
type Change = (response: HttpResponse, request: Received) => HttpResponse | Promise<HttpResponse>;

/** Serves the local run with other responses. Returns the base URL. */
const differing = async (change: Change): Promise<string> => {
  const { origin, pathname } = new URL(run.baseUrl);
  const url = await serve(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    const message = { method, path, headers, ...(body !== '' && { body }) };
    // Not compressed, so that the text can be changed.
    delete message.headers['accept-encoding'];
    const changed = await change(await sendRaw(origin, message), { url: path, headers, body });
    delete changed.headers['content-length'];
    response.writeHead(changed.status, changed.headers).end(changed.text);
  });
  return url + pathname;
};

/** Makes a response that of an applied update. */
const applied: Change = (response) => ({
  ...response,
  status: 200,
  headers: { ...response.headers, etag: '"8-available"' },
  text: '{"petId":1,"quantity":8,"status":"available"}',
});

const differences: { what: string; change: Change; failed: string[] }[] = [
  {
    what: 'applies every update that is malformed',
    change: (response, request) =>
      response.status === 400 ? applied(response, request) : response,
    failed: [
      'reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large',
      ...[
        'petId is no number',
        'petId is beyond 64 bits',
        'petId begins with an encoded space',
        'petId is an encoded digit of another script',
        'Content-Type is missing',
        'Content-Type is that of a form',
        'body is missing',
        'body is cut off',
        'body has a status',
        'quantity is missing',
        'quantity is negative',
        'quantity would be rounded to an integer',
      ].map((what) => `rejects an update whose ${what}`),
      ...[
        '{"If-Match": "7-available"}',
        String.raw`{"If-Match": "\"7-sold\", \"8-sold\""}`,
        '{"If-None-Match": "*"}',
      ].map((headers) => `rejects the condition ${headers}`),
    ],
  },
  {
    what: 'takes the first number beyond 64 bits for a petId',
    change: (response, request) =>
      request.url?.endsWith('/9223372036854775808') ? applied(response, request) : response,
    failed: ['rejects an update whose petId is beyond 64 bits'],
  },
  {
    what: 'applies an update that it rejects',
    change: async (response, { url, body }) => {
      if (body === '{"quantity":-1}') {
        await run.patch(url?.split('/').at(-1) ?? '', '{"quantity":8}');
      }
      return response;
    },
    failed: ['no rejected request creates or changes an entry'],
  },
  {
    what: 'answers If-Match: * for a petId without an entry as if it had created one',
    change: (response, request) =>
      request.headers['if-match'] === '*' && response.status === 404
        ? applied(response, request)
        : response,
    failed: ['finds no entry, whatever its ETag: *'],
  },
  {
    what: 'has another code for too large a body',
    change: (response) => ({
      ...response,
      text: response.text.replace('"request_too_large"', '"invalid_body"'),
    }),
    failed: ['reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large'],
  },
];

test.each(differences)('acceptance fails for a service that $what', async ({ change, failed }) => {
  const options = ['--base-url', await differing(change), '--api-key', run.apiKey];
  const { code, errors } = await ops(['acceptance', ...options]);
  const found = [...errors.matchAll(/^ +✕ (.*?)(?: \(\d.*\))?$/gm)].map(([, title]) => title);
  expect({ code, found }).toEqual({ code: 8, found: failed });
});
