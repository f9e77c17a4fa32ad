// `npm run acceptance` notices services that break the contract. First by rule: at each response of
// each check, the service says something else that the contract allows. Then the faults that no single
// response shows.
import { expect, test } from '@jest/globals';
import { type HttpResponse, sendRaw } from '../../support/http/raw-request.ts';
import { startRun } from '../../support/local/local-run.ts';
import {
  acceptance,
  type Difference,
  entriesOf,
  fail,
  type Received,
  readOnlyKeyOf,
  serveWith,
  type Variables,
} from './acceptance.ts';

const run = await startRun([]);
const readOnlyKey = await readOnlyKeyOf(run);
const keys: Variables[] = [
  { PETSTORE_API_KEY: run.apiKey },
  { PETSTORE_API_KEY: readOnlyKey, KEY_ACCESS: 'read' },
];

/** Checks a service that differs from the local run. */
const checkedWith = async (differences: Difference[], variables = keys[0]) => {
  const before = await entriesOf(run);
  const baseUrl = await serveWith(run, differences);
  const result = await acceptance({ ...variables, PETSTORE_BASE_URL: baseUrl });
  // Whatever fails, quantities are set back, and no key is printed.
  expect(await entriesOf(run)).toStrictEqual(before);
  expect(result.errors).not.toMatch(new RegExp(`${run.apiKey}|${readOnlyKey}`));
  return result;
};

/** Whether a check asks with a request how an entry is, and nothing else. */
const isLook = ({ headers }: Received): boolean => headers['if-match'] === '"00-sold"';

interface Check {
  name: string;
  /** How many requests it sends. */
  total: number;
  /** Those whose responses it checks, by how many it had sent before. */
  checked: number[];
}

/** A check that changes an entry looks at it before, and once more to set it back. */
const checkOf = (name: string, requests: Received[]): Check => {
  const counts = requests.map(({ count }) => count);
  const isChanging = requests[0] !== undefined && isLook(requests[0]);
  const checked = isChanging ? counts.slice(1, requests.findLastIndex(isLook)) : counts;
  return { name, total: requests.length, checked };
};

/** Returns the checks of a right service. */
const checksOf = async (variables?: Variables): Promise<Check[]> => {
  const sent: Received[] = [];
  const { passed } = await checkedWith([{ request: (received) => sent.push(received) }], variables);
  return passed.map((name) =>
    checkOf(
      name,
      sent.filter(({ check }) => check === name),
    ),
  );
};

const isList = ({ method, path }: Received): boolean =>
  method === 'GET' && /\/v1\/inventory\/?(\?|$)/.test(path);

const codeOf = ({ body }: HttpResponse): string | undefined => (body as { code?: string }).code;

/** The status of an error that may stand in for one with this status. */
const otherErrors: Record<number, number> = {
  ...{ 400: 404, 401: 403, 403: 401, 404: 400, 405: 404, 412: 404, 413: 400, 422: 400 },
};

/** Makes a response another one that the contract allows. */
const lie = (response: HttpResponse, request: Received): void => {
  const { status, headers, text } = response;
  if (status === 200 && isList(request)) {
    response.text = '[]';
  } else if (status === 200) {
    const another = /"quantity":\d+/.exec(text)?.[0] === '"quantity":5' ? '6' : '5';
    response.text = text.replace(/(?<="quantity":)\d+/, another);
    headers.etag = headers.etag?.replace(/\d+/, another);
  } else if (codeOf(response) === 'path_not_found') {
    headers.allow = 'GET';
    fail(response, 405, 'method_not_allowed');
  } else {
    fail(response, otherErrors[status] as number, 'other_error');
  }
};

/** Lies to each check in one of the responses that it checks, if it has as many. */
const lying = (checks: Check[], index: number): Difference => ({
  response: (response, request) => {
    const { total = 1, checked = [] } = checks.find(({ name }) => name === request.check) ?? {};
    // A check that API Gateway may have failed is repeated.
    if (checked[index] === request.count % total) {
      lie(response, request);
    }
  },
});

for (const variables of keys) {
  const checks = await checksOf(variables);
  const most = Math.max(...checks.map(({ checked }) => checked.length));
  test.each(Array.from({ length: most }, (_, index) => index))(
    `with a key that may ${variables.KEY_ACCESS ?? 'write'}, each check fails by its response %i`,
    async (index) => {
      const { failed } = await checkedWith([lying(checks, index)], variables);
      const misled = checks.filter(({ checked }) => checked.length > index);
      expect(failed).toStrictEqual(misled.map(({ name }) => name));
    },
  );
}

interface Fault extends Difference {
  /** What the service does, as the end of "a service that". */
  what: string;
  /** The check that notices it. */
  noticedBy: RegExp;
}

/** Sends the local run a request besides those of the checks. */
const sendBesides = ({ method, path, headers }: Received, body: string | undefined) =>
  sendRaw(new URL(run.baseUrl).origin, { method, path, headers, body });

/** The last update with a key, which is applied again. */
let withKey: Received | undefined;
/** The last petId without an entry. */
let absent = '';

/** The faults that no single response shows: no two of a service are noticed by the same check. */
const services: Fault[][] = [
  [
    {
      what: 'lists an entry twice',
      response: (response, request) => {
        if (isList(request) && response.status === 200) {
          response.text = response.text.replace(/\{"petId".*?\}/, '$&,$&');
        }
      },
      noticedBy: /^GET \/inventory lists each petId once/,
    },
    {
      what: 'never compresses',
      request: ({ headers }) => {
        delete headers['accept-encoding'];
      },
      noticedBy: /lists the same entries at \/inventory with .*gzip/,
    },
    {
      what: 'compresses for everyone',
      request: ({ path, headers }) => {
        if (path.endsWith('/inventory/')) {
          headers['accept-encoding'] = 'gzip';
        }
      },
      noticedBy: /lists the same entries at \/inventory\/ /,
    },
    {
      what: 'lists only as many entries as a limit says',
      response: (response, { path }) => {
        if (path.includes('limit=1')) {
          response.text = response.text.replace(/(?<=\}).*$/s, ']');
        }
      },
      noticedBy: /lists the same entries at .*limit=1/,
    },
    {
      what: 'applies an update although it says that its condition is false',
      response: async ({ status }, request) => {
        const { 'if-match': ifMatch = '', ...headers } = request.headers;
        if (status === 412 && ifMatch.startsWith('W/')) {
          await sendBesides({ ...request, headers }, request.body);
        }
      },
      noticedBy: /rejects an update whose If-Match has a weak ETag/,
    },
    {
      what: 'applies an update with a key again',
      request: (request) => {
        if (request.check.includes('with a key once')) {
          withKey = request.headers['idempotency-key'] ? request : withKey;
        }
      },
      response: async ({ status }, request) => {
        if (request === withKey && status === 200) {
          const { 'if-match': _, 'idempotency-key': _key, ...headers } = request.headers;
          await sendBesides({ ...request, headers }, request.body);
        }
      },
      noticedBy: /applies an update with a key once/,
    },
    {
      what: 'creates the entry that it says it has not',
      response: (response, request) => {
        if (codeOf(response) === 'pet_not_found') {
          absent = /(?<=\/inventory\/)-\d+/.exec(request.path)?.[0] ?? '';
        }
        if (isList(request) && response.status === 200 && absent !== '') {
          const entry = `{"petId":${absent},"quantity":8,"status":"available"}`;
          response.text = response.text.replace(/^\[/, `[${entry},`);
        }
      },
      noticedBy: /^no rejected request/,
    },
  ],
  [
    {
      what: 'applies an update that it rejects',
      request: async (request) => {
        if (request.body?.startsWith('{"quantity":-')) {
          await sendBesides(request, request.body.replace('-', ''));
        }
      },
      noticedBy: /^no rejected request/,
    },
  ],
];

test.each(services)('what no single response of service %# shows is noticed', async (...faults) => {
  const { failed } = await checkedWith(faults);
  const noticed = failed.map(
    (name) => faults.find(({ noticedBy }) => noticedBy.test(name))?.what ?? name,
  );
  expect(noticed.toSorted()).toStrictEqual(faults.map(({ what }) => what).toSorted());
});
