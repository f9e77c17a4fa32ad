import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { type HttpResponse, type Message, sendRaw } from '../../support/http/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { startRun } from '../../support/local/local-run.ts';
import { acceptance, entriesOf, readOnlyKeyOf, type Variables } from './acceptance.ts';

const run = await startRun([]);
const readOnlyKey = await readOnlyKeyOf(run);

/** The runs of the suite that have other checks. */
const modes: Record<string, Variables> = {
  whole: { PETSTORE_API_KEY: run.apiKey },
  readOnly: { PETSTORE_API_KEY: run.apiKey, READ_ONLY: 'true' },
  readOnlyKey: { PETSTORE_API_KEY: readOnlyKey, KEY_ACCESS: 'read' },
};

interface Received extends Message {
  method: string;
  headers: Record<string, string | undefined>;
  body: string | undefined;
}

interface WrongService {
  /** What it does, as the end of "a service that". */
  what: string;
  mode?: keyof typeof modes;
  /** Changes a request before the local run gets it. */
  request?(request: Received): void | Promise<void>;
  /** Changes a response of the local run before the suite gets it. */
  response?(response: HttpResponse, request: Received): void;
  /** The checks that must fail, and no others. */
  failed: (string | RegExp)[];
}

/** Serves the local run behind what is wrong with it. Returns the base URL. */
const serveWrongly = async ({ request, response }: WrongService): Promise<string> => {
  const { origin, pathname } = new URL(run.baseUrl);
  const pass = async (message: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = message;
    const body = await textOf(message);
    const received = { method, path, headers: { ...headers }, body: body || undefined } as Received;
    await request?.(received);
    const answer = await sendRaw(origin, received);
    response?.(answer, received);
    const { status, headers: changed, text } = answer;
    const isCompressed = changed['content-encoding'] === 'gzip';
    delete changed['content-length'];
    reply.writeHead(status, changed).end(isCompressed ? gzipSync(text) : text);
  };
  const url = await serve((message, reply) => {
    pass(message, reply).catch((error) => reply.writeHead(500).end(String(error)));
  });
  return url + pathname;
};

const isList = ({ headers, text }: HttpResponse): boolean =>
  headers['content-type'] === 'application/json' && text.startsWith('[');

/** Makes a response that of an applied update. */
const apply = (response: HttpResponse): void => {
  response.status = 200;
  response.headers.etag = '"8-available"';
  response.text = '{"petId":1,"quantity":8,"status":"available"}';
};

/** Makes a response an Error. */
const fail = (response: HttpResponse, status: number, code: string): void => {
  response.status = status;
  response.text = JSON.stringify({ code, message: 'A message.', status });
};

const codeOf = ({ body }: HttpResponse): string | undefined => (body as { code?: string }).code;

const createsEntries: WrongService = {
  what: 'answers an update without an entry as if it had created one',
  response: (response) => {
    if (codeOf(response) === 'pet_not_found') {
      apply(response);
    }
  },
  failed: [
    /^accepts the Content-Type .* creates no entry$/,
    'is also found with a final slash and a query',
    /^finds no entry/,
    /^accept a valid key/,
  ],
};

const wrongLists: WrongService[] = [
  {
    what: 'lists an entry twice',
    response: (response) => {
      if (isList(response)) {
        response.text = response.text.replace(/\{.*?\}/, '$&,$&');
      }
    },
    failed: ['lists each petId once, as an int64'],
  },
  {
    what: 'lists an entry that breaks the contract',
    response: (response) => {
      if (isList(response)) {
        response.text = response.text.replace('"available"', '"lost"');
      }
    },
    failed: [
      /^lists/,
      /^compresses/,
      /^sets the quantity/,
      /^accepts \{/,
      /whose If-Match (is|has)/,
      'applies one of two updates with the same ETag',
      /^accept a valid key/,
      'every response has a request id of its own',
      'no rejected request creates or changes an entry',
    ],
  },
  {
    what: 'never compresses',
    request: ({ headers }) => {
      delete headers['accept-encoding'];
    },
    failed: ['compresses the list for a client that accepts gzip'],
  },
  {
    what: 'always compresses',
    request: (request) => {
      request.headers['accept-encoding'] = 'gzip';
    },
    failed: [/^lists the same entries/],
  },
  {
    what: 'lists only as many entries as a limit says',
    response: (response, { path }) => {
      if (path.includes('limit=1')) {
        response.text = `${response.text.slice(0, response.text.indexOf('}') + 1)}]`;
      }
    },
    failed: ['lists the same entries at /inventory?limit=1&petId=abc, uncompressed'],
  },
  {
    what: 'lists old quantities',
    response: (response) => {
      if (isList(response)) {
        response.text = response.text.replaceAll(/"quantity":\d+/g, '"quantity":5');
      }
    },
    failed: [/^sets the quantity/, /whose If-Match is/],
  },
];

const wrongUpdates: WrongService[] = [
  createsEntries,
  {
    ...createsEntries,
    what: `${createsEntries.what}, in a read-only run`,
    mode: 'readOnly',
    failed: [...createsEntries.failed, 'no rejected request creates an entry'],
  },
  {
    what: 'says another ETag than that of the updated entry',
    response: (response) => {
      if (response.headers.etag !== undefined && response.status === 200) {
        response.headers.etag = '"1-sold"';
      }
    },
    failed: [
      /^sets the quantity/,
      /^accepts \{/,
      /whose If-Match is/,
      'applies one of two updates with the same ETag',
    ],
  },
  {
    what: 'takes no Content-Type but application/json to the letter',
    response: (response, { headers }) => {
      const isJson = headers['content-type'] === 'application/json';
      if (!isJson && codeOf(response) === 'pet_not_found') {
        fail(response, 400, 'unsupported_content_type');
      }
    },
    failed: [/^accepts the Content-Type (Application\/JSON|application\/json; charset=utf-8),/],
  },
  {
    what: 'has another code for too large a body',
    response: (response) => {
      response.text = response.text.replace('"request_too_large"', '"invalid_body"');
    },
    failed: ['reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large'],
  },
  {
    what: 'knows no petId beyond 53 bits',
    response: (response, { path }) => {
      if (/\/-?92\d+$/.test(path)) {
        response.text = response.text.replace('"invalid_quantity"', '"invalid_pet_id"');
      }
    },
    failed: [/^takes .* for a petId$/],
  },
  {
    what: 'takes the first number beyond 64 bits for a petId',
    response: (response, { path }) => {
      if (path.endsWith('/9223372036854775808')) {
        apply(response);
      }
    },
    failed: ['rejects an update whose petId is 9223372036854775808'],
  },
  {
    what: 'answers a malformed update as if it had applied it',
    response: (response) => {
      if (response.status === 400) {
        apply(response);
      }
    },
    failed: [
      'reads a body of 4,096 bytes of UTF-8, and rejects a larger one as too large',
      /^takes .* for a petId$/,
      /^rejects an update whose (petId|Content-Type|body|quantity) /,
      /^rejects the condition/,
    ],
  },
  {
    what: 'applies an update that it rejects',
    request: async ({ path, headers, body = '' }) => {
      if (body.startsWith('{"quantity":-')) {
        const { origin } = new URL(run.baseUrl);
        await sendRaw(origin, { method: 'PATCH', path, headers, body: body.replace('-', '') });
      }
    },
    failed: ['no rejected request creates or changes an entry'],
  },
];

const wrongConditions: WrongService[] = [
  {
    what: 'ignores If-Match',
    request: ({ headers }) => {
      delete headers['if-match'];
    },
    failed: [
      /whose If-Match has/,
      'applies one of two updates with the same ETag',
      /^rejects the condition \{"If-Match"/,
      'no rejected request creates or changes an entry',
    ],
  },
  {
    what: 'ignores If-None-Match',
    request: ({ headers }) => {
      delete headers['if-none-match'];
    },
    failed: [
      'rejects the condition {"If-None-Match": "*"}',
      'no rejected request creates or changes an entry',
    ],
  },
  {
    what: 'does not say how the entry is',
    response: (response) => {
      if (response.status === 412) {
        delete response.headers.etag;
      }
    },
    failed: [/whose If-Match has/, 'applies one of two updates with the same ETag'],
  },
];

const wrongKeys: WrongService[] = [
  {
    what: 'lets everyone list',
    request: ({ method, headers }) => {
      if (method === 'GET') {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    failed: [/^reject a request with 401/, /^reject a key/],
  },
  {
    what: 'lets everyone update',
    request: ({ method, headers }) => {
      if (method === 'PATCH') {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    failed: [
      /^reject a request with 401/,
      /^reject a key/,
      'no rejected request creates or changes an entry',
    ],
  },
  {
    what: 'takes the word Bearer in one spelling alone',
    request: ({ headers }) => {
      if (/^(bearer|BEARER) /.test(headers.authorization ?? '')) {
        headers.authorization = 'Basic x';
      }
    },
    failed: [/^accept a valid key in the header (authorization|AUTHORIZATION)/],
  },
  {
    what: 'lets a read-only key write',
    mode: 'readOnlyKey',
    request: ({ method, headers }) => {
      if (method === 'PATCH' && headers.authorization?.endsWith(readOnlyKey)) {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    failed: [
      /^rejects an update that has/,
      /^accept a valid key/,
      'no rejected request creates or changes an entry',
    ],
  },
  {
    what: 'repeats the key',
    response: (response, { headers }) => {
      if (codeOf(response) === 'pet_not_found') {
        response.text = response.text.replace('this petId', String(headers.authorization));
      }
    },
    failed: [...createsEntries.failed, 'every response has a request id of its own'],
  },
];

const wrongRoutes: WrongService[] = [
  {
    what: 'has one request id for all',
    response: ({ headers }) => {
      headers['x-amzn-requestid'] = 'the-same';
    },
    failed: ['every response has a request id of its own'],
  },
  {
    what: 'finds no path where the method is wrong',
    response: (response) => {
      if (response.status === 405) {
        fail(response, 404, 'path_not_found');
        delete response.headers.allow;
      }
    },
    failed: [/its path allows "(GET|PATCH)"$/],
  },
  {
    what: 'answers a request for an unknown path as API Gateway would',
    response: (response) => {
      if (codeOf(response) === 'path_not_found') {
        response.status = 403;
        response.text = '{"message":"Forbidden"}';
      }
    },
    failed: [/its path allows ""$/, 'every response has a request id of its own'],
  },
];

const wrongServices = [
  ...wrongLists,
  ...wrongUpdates,
  ...wrongConditions,
  ...wrongKeys,
  ...wrongRoutes,
];

/** The titles of the checks of a right service, by mode. */
const checks: Record<string, string[]> = {};
for (const [mode, variables] of Object.entries(modes)) {
  const { passed } = await acceptance({ PETSTORE_BASE_URL: run.baseUrl, ...variables });
  checks[mode] = passed;
}

/** Returns the titles that a row names. Each of its patterns must name one. */
const named = ({ mode = 'whole', failed }: WrongService): string[] => {
  const titles = checks[mode] ?? [];
  const matches = (pattern: string | RegExp) =>
    titles.filter((title) => (pattern instanceof RegExp ? pattern.test(title) : pattern === title));
  const nothing = failed.filter((pattern) => matches(pattern).length === 0);
  expect(nothing).toStrictEqual([]);
  return titles.filter((title) => failed.some((pattern) => matches(pattern).includes(title)));
};

test('there is a wrong service for each check', () => {
  const failing = new Set(wrongServices.flatMap(named));
  const titles = Object.values(checks).flat();
  expect(titles.filter((title) => !failing.has(title))).toStrictEqual([]);
});

test.each(wrongServices)(
  'a service that $what fails the checks of that, and no others',
  async (service) => {
    const before = await entriesOf(run);
    const { code, failed, errors } = await acceptance({
      ...modes[service.mode ?? 'whole'],
      PETSTORE_BASE_URL: await serveWrongly(service),
    });
    expect({ code, failed }).toStrictEqual({ code: 1, failed: named(service) });
    expect(errors).not.toContain(run.apiKey);
    expect(errors).not.toContain(readOnlyKey);
    // Whatever is wrong, quantities are set back.
    expect(await entriesOf(run)).toStrictEqual(before);
  },
);
