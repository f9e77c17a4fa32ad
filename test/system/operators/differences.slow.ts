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

const differences: { what: string; change: Change; failed: string }[] = [
  {
    what: 'applies an update that it rejects',
    change: async (response, { url, body }) => {
      if (body === '{"quantity":-1}') {
        await run.patch(url?.split('/').at(-1) ?? '', '{"quantity":8}');
      }
      return response;
    },
    failed: 'no rejected request creates or changes an entry',
  },
  {
    what: 'answers If-Match: * for a petId without an entry as if it had created one',
    change: (response, { headers }) =>
      headers['if-match'] === '*' && response.status === 404
        ? {
            ...response,
            status: 200,
            headers: { ...response.headers, etag: '"8-available"' },
            text: '{"petId":1,"quantity":8,"status":"available"}',
          }
        : response,
    failed: 'finds no entry, whatever its ETag: *',
  },
  {
    what: 'has another code for too large a body',
    change: (response) => ({
      ...response,
      text: response.text.replace('"request_too_large"', '"invalid_body"'),
    }),
    failed: 'reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large',
  },
];

test.each(differences)('acceptance fails for a service that $what', async ({ change, failed }) => {
  const options = ['--base-url', await differing(change), '--api-key', run.apiKey];
  const { code, errors } = await ops(['acceptance', ...options]);
  const found = [...errors.matchAll(/^ +✕ (.*?)(?: \(\d.*\))?$/gm)].map(([, title]) => title);
  expect({ code, found }).toEqual({ code: 8, found: [failed] });
});
