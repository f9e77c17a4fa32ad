// `npm run acceptance` notices services that break the contract: of each fault, the checks that must
// fail do. A run takes seconds, so that there are five services, which have several faults each. No
// two faults of a service fail the same check, so a failed check tells which fault it has noticed.
import { expect, test } from '@jest/globals';
import { type HttpResponse, sendRaw } from '../../support/http/raw-request.ts';
import { startRun } from '../../support/local/local-run.ts';
import {
  acceptance,
  type Difference,
  entriesOf,
  fail,
  onlyOnce,
  type Received,
  readOnlyKeyOf,
  serveWith,
  type Variables,
} from './acceptance.ts';

const run = await startRun([]);
const readOnlyKey = await readOnlyKeyOf(run);

interface Fault extends Difference {
  /** What the service does, as the end of "a service that". */
  what: string;
  /** The titles of all checks that must fail, and no others. Each pattern has one at least. */
  fails: RegExp[];
}

const codeOf = ({ body }: HttpResponse): string | undefined => (body as { code?: string }).code;
const isPlainList = ({ method, path }: Received): boolean =>
  method === 'GET' && path.endsWith('/inventory');

/** Makes a response look like that of an applied update. */
const pretendApplied = (response: HttpResponse): void => {
  response.status = 200;
  response.headers.etag = '"8-available"';
  response.text = '{"petId":1,"quantity":8,"status":"available"}';
};

const lists: Fault[] = [
  {
    what: 'lists an entry twice',
    response: (response, request) => {
      if (isPlainList(request)) {
        response.text = response.text.replace(/\{"petId".*?\}/, '$&,$&');
      }
    },
    fails: [/^lists each petId once/],
  },
  {
    what: 'never compresses',
    request: ({ headers }) => {
      delete headers['accept-encoding'];
    },
    fails: [/^lists the same entries at .*gzip/],
  },
  {
    what: 'compresses for everyone',
    request: ({ path, headers }) => {
      if (path.endsWith('/inventory/')) {
        headers['accept-encoding'] = 'gzip';
      }
    },
    fails: [/^lists the same entries at \/inventory\/ /],
  },
  {
    what: 'lists only as many entries as a limit says',
    response: (response, { path }) => {
      if (path.includes('limit=1')) {
        response.text = `${response.text.slice(0, response.text.indexOf('}') + 1)}]`;
      }
    },
    fails: [/^lists the same entries at .*limit=1/],
  },
];

/** The entry of the last update that found none. */
let created = '';

const updates: Fault[] = [
  {
    what: 'creates the entry that it says it has not',
    response: (response, request) => {
      const petId = /\/inventory\/(-\d+)/.exec(request.path)?.[1];
      if (codeOf(response) === 'pet_not_found') {
        created = `{"petId":${petId},"quantity":8,"status":"available"},`;
      }
      if (isPlainList(request)) {
        response.text = response.text.replace('[', `[${created}`);
      }
    },
    fails: [/^no rejected request/],
  },
  {
    what: 'takes no Content-Type but application/json to the letter',
    response: (response, { headers }) => {
      if (headers['content-type']?.startsWith('Application') && response.status === 404) {
        fail(response, 400, 'unsupported_content_type');
      }
    },
    fails: [/^creates no entry, .* Application/],
  },
  {
    what: 'has another code for too large a body',
    response: (response) => {
      response.text = response.text.replace('"request_too_large"', '"invalid_body"');
    },
    fails: [/^reads a body of 4,096 bytes/],
  },
  {
    what: 'knows no petId beyond 53 bits',
    response: (response, { path }) => {
      if (/\/-?92\d+$/.test(path)) {
        response.text = response.text.replace('"invalid_quantity"', '"invalid_pet_id"');
      }
    },
    fails: [/^takes .* for a petId$/],
  },
  {
    what: 'takes the first number beyond 64 bits for a petId',
    response: (response, { path }) => {
      if (path.endsWith('/9223372036854775808')) {
        pretendApplied(response);
      }
    },
    fails: [/^rejects an update whose petId has more than 64 bits$/],
  },
  {
    what: 'answers once with a 500',
    ...onlyOnce(
      ({ body }) => body === '{"quantity":0}',
      (response) => fail(response, 500, 'internal_error'),
    ),
    fails: [/^sets the quantity 0n$/],
  },
  {
    what: 'cuts a connection once',
    ...onlyOnce(
      ({ body }) => body === '{"quantity":9007199254740991}',
      (response) => {
        response.status = 0;
      },
    ),
    fails: [/^sets the quantity 9007199254740991n$/],
  },
  {
    what: 'takes any ETag for that of the entry',
    request: ({ headers }) => {
      if (/^(W\/)?"[^" ]+"$/.test(headers['if-match'] ?? '')) {
        delete headers['if-match'];
      }
    },
    fails: [/whose If-Match has/, /^applies one of two updates/],
  },
];

const keysAndRoutes: Fault[] = [
  {
    what: 'lets everyone list',
    request: ({ method, headers }) => {
      if (method === 'GET') {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    fails: [/^reject a request with/],
  },
  {
    what: 'takes the word Bearer in one spelling alone',
    request: ({ headers }) => {
      if (/^(bearer|BEARER) /.test(headers.authorization ?? '')) {
        headers.authorization = 'Basic x';
      }
    },
    fails: [/^accept a valid key in the header (authorization|AUTHORIZATION)/],
  },
  {
    what: 'finds no path where the method is wrong',
    response: (response) => {
      if (response.status === 405) {
        fail(response, 404, 'path_not_found');
      }
    },
    fails: [/ is a 405$/],
  },
];

// The faults of the other services fail some checks that these would fail as well.
const ofSecondService: Fault[] = [
  {
    what: 'lists old quantities of large petIds',
    response: (response, request) => {
      if (isPlainList(request)) {
        response.text = response.text.replaceAll(/(?<="petId":-?92\d+,"quantity":)\d+/g, '5');
      }
    },
    fails: [/^sets the quantity of the/, /whose If-Match is/],
  },
  {
    what: 'answers an update without an entry as if it had created one',
    response: (response) => {
      if (codeOf(response) === 'pet_not_found') {
        pretendApplied(response);
      }
    },
    fails: [/^creates no entry/, /^finds no entry/, /^accept a valid key/],
  },
  {
    what: 'answers a malformed update as if it had applied it',
    response: (response) => {
      if (response.status === 400) {
        pretendApplied(response);
      }
    },
    fails: [
      /^rejects an update whose (petId|Content-Type|body|quantity) /,
      /^is rejected if it is/,
      /^takes .* for a petId$/,
      /^reads a body of 4,096 bytes/,
    ],
  },
  {
    what: 'lets everyone update',
    request: ({ method, headers }) => {
      if (method === 'PATCH') {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    fails: [/^reject a request with/, /^no rejected request/],
  },
  {
    what: 'answers a request for an unknown path without a key as API Gateway would',
    response: (response, { headers }) => {
      if (codeOf(response) === 'path_not_found' && headers.authorization === undefined) {
        response.status = 403;
        response.text = '{"message":"Missing Authentication Token"}';
      }
    },
    fails: [/ is a 404$/],
  },
];

const ofThirdService: Fault[] = [
  {
    what: 'takes what is no key, in a request for an unknown path, for a signature of AWS',
    response: (response, { headers }) => {
      if (codeOf(response) === 'path_not_found' && headers.authorization === 'Bearer x') {
        response.status = 403;
        response.text = '{"message":"Authorization header requires \'Credential\' parameter."}';
      }
    },
    fails: [/ is a 404$/],
  },
  {
    what: 'applies an update although it says that its condition is false',
    response: async (response, { headers: { 'if-match': _, ...headers }, ...request }) => {
      if (response.status === 412) {
        await sendRaw(new URL(run.baseUrl).origin, { ...request, headers });
      }
    },
    fails: [/whose If-Match has/],
  },
  {
    what: 'says another ETag than that of the updated entry',
    response: (response) => {
      if (response.status === 200 && response.headers.etag !== undefined) {
        response.headers.etag = '"1-sold"';
      }
    },
    fails: [/^sets the quantity/, /whose If-Match is/, /^applies one of two updates/],
  },
  {
    what: 'applies an update that it rejects, and then refuses every condition on the entry',
    request: async ({ path, headers, body = '' }) => {
      if (body.startsWith('{"quantity":-')) {
        const { origin } = new URL(run.baseUrl);
        await sendRaw(origin, { method: 'PATCH', path, headers, body: body.replace('-', '') });
      }
    },
    response: (response, { path, headers }) => {
      if (path.endsWith('/3') && headers['if-match'] !== undefined) {
        fail(response, 400, 'invalid_if_match');
        delete response.headers.etag;
      }
    },
    fails: [/^no rejected request/],
  },
  {
    what: 'repeats the key',
    response: (response, { headers }) => {
      if (codeOf(response) === 'pet_not_found') {
        response.text = response.text.replace('this petId', String(headers.authorization));
      }
    },
    fails: [/^creates no entry/, /^finds no entry/, /^accept a valid key/],
  },
  {
    what: 'gives some responses no request id',
    response: ({ status, headers }) => {
      if (status === 405) {
        delete headers['x-amzn-requestid'];
      }
    },
    fails: [/ is a 405$/],
  },
];

const withReadOnlyKey: Fault[] = [
  {
    what: 'lets a read-only key write',
    request: ({ method, headers }) => {
      if (method === 'PATCH' && headers.authorization?.endsWith(readOnlyKey)) {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    fails: [/^rejects an update that has/, /^accept a valid key/, /^no rejected request/],
  },
  {
    what: 'lets a valid key into what is no operation',
    response: (response, { headers }) => {
      if (codeOf(response) === 'path_not_found' && headers.authorization?.endsWith(readOnlyKey)) {
        response.status = 200;
        response.text = '{}';
      }
    },
    fails: [/ is a 404$/],
  },
];

/** Whether nothing is special about an update. */
const isUsual = ({ path, headers, body = '' }: Received): boolean =>
  /\/-?\d+$/.test(path) &&
  headers['content-type'] !== undefined &&
  headers['if-match'] === undefined &&
  body.length < 100;

const ofFifthService: Fault[] = [
  {
    what: 'looks at all else in an update before it refuses a read-only key',
    request: (request) => {
      const { method, headers } = request;
      if (method === 'PATCH' && headers.authorization?.endsWith(readOnlyKey) && !isUsual(request)) {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    fails: [/^rejects an update that has (?!nothing wrong)/, /^no rejected request/],
  },
  {
    what: 'lists for keys of another stage',
    request: ({ method, headers }) => {
      if (method === 'GET' && headers.authorization?.includes('-other_')) {
        headers.authorization = `Bearer ${run.apiKey}`;
      }
    },
    fails: [/^reject a request with a key of another stage$/],
  },
];

/** Checks a service that has all of these faults. */
const checkedWith = async (faults: Fault[], variables: Variables) => {
  const before = await entriesOf(run);
  const baseUrl = await serveWith(run, faults);
  const result = await acceptance({ ...variables, PETSTORE_BASE_URL: baseUrl });
  return { faults, ...result, before, after: await entriesOf(run) };
};

const withKey: Variables = { PETSTORE_API_KEY: run.apiKey };
const readOnlyVariables: Variables = { PETSTORE_API_KEY: readOnlyKey, KEY_ACCESS: 'read' };
const runs = [
  await checkedWith([...lists, ...updates, ...keysAndRoutes], withKey),
  await checkedWith(ofSecondService, withKey),
  await checkedWith(ofThirdService, withKey),
  await checkedWith(withReadOnlyKey, readOnlyVariables),
  await checkedWith(ofFifthService, readOnlyVariables),
];

const rows = runs.flatMap(({ faults, passed, failed }) =>
  faults.map(({ what, fails }) => ({ what, fails, passed, failed })),
);

test.each(rows)('acceptance notices a service that $what', ({ fails, passed, failed }) => {
  const mustFail = (title: string) => fails.some((pattern) => pattern.test(title));
  const found = fails.map((pattern) => failed.some((title) => pattern.test(title)));
  expect(found).toStrictEqual(fails.map(() => true));
  expect(passed.filter(mustFail)).toStrictEqual([]);
});

test('each check that fails must fail, because of exactly one fault', () => {
  const faultsOf = ({ faults, failed }: (typeof runs)[number]) =>
    failed.map((title) => ({
      title,
      faults: faults.filter(({ fails }) => fails.some((pattern) => pattern.test(title))).length,
    }));
  expect(runs.flatMap(faultsOf).filter(({ faults }) => faults !== 1)).toStrictEqual([]);
});

test('each check has a service that fails it', () => {
  const failed = new Set(runs.flatMap((each) => each.failed));
  const passed = runs.flatMap((each) => each.passed);
  expect(passed.filter((title) => !failed.has(title))).toStrictEqual([]);
});

test.each(runs)('after run $#, quantities are set back, and no key was printed', (each) => {
  expect(each.code).toBe(1);
  expect(each.after).toStrictEqual(each.before);
  expect(each.errors).not.toContain(run.apiKey);
  expect(each.errors).not.toContain(readOnlyKey);
});
