import { beforeAll, expect, test } from '@jest/globals';
import { type Program, runClient, type Target } from './program.ts';
import { testRightPet } from './right-pet.ts';
import {
  cutConnection,
  cutEntry,
  cutList,
  failure,
  gzippedList,
  list,
  preconditionFailed,
  type Reply,
  scriptedService,
  unclosedList,
} from './scripted-service.ts';

const apiKey = 'petstore_staging_secret';
const etag = '"12-available"';
/** A URL at which nothing listens. */
const closed = 'http://127.0.0.1:2/v1';

let program: Program;

/** Runs the example against a service that sends these replies first. */
const runWith = async (replies: Reply[], args = ['1', '5'], change: Target = {}) => {
  const { baseUrl, methods, conditions, waits } = await scriptedService(replies);
  const end = await runClient(program, { baseUrl, apiKey, ...change }, ...args);
  return { ...end, methods: methods(), conditions: conditions(), waits: waits() };
};

/** Matches what is printed if it is one sentence: a stack trace has several lines. */
const sentence = (pattern: string) =>
  expect.stringMatching(new RegExp(`^(Error: )?${pattern}\\.?\\n$`, 'i'));

const testWrongUse = (): void => {
  test.concurrent.each([
    { what: 'no arguments', args: [], says: 'Usage: .* PET_ID QUANTITY \\[ETAG]' },
    { what: 'an ETag without quotes', args: ['1', '5', '7-sold'], says: 'ETAG must be .* 7-sold' },
    { what: 'an empty petId', args: ['', '5'], says: 'PET_ID must be an integer, not ""' },
    { what: 'a pattern', args: ['[1-3]', '5'], says: 'PET_ID must be an integer, not "\\[1-3]"' },
    { what: 'a quantity in words', args: ['1', 'five'], says: 'QUANTITY must be .*, not "five"' },
    { what: 'a quantity below 0', args: ['1', '-5'], says: 'QUANTITY must be .*, not "-5"' },
  ])('sends nothing when it is called with $what, and says so', async ({ args, says }) => {
    const { code, errors, methods } = await runWith([], args);
    expect({ code, errors, methods }).toStrictEqual({
      code: 1,
      errors: sentence(says),
      methods: [],
    });
  });

  test.concurrent.each<{ what: string; change: Target; variable: string }>([
    { what: 'no base URL', change: { baseUrl: undefined }, variable: 'BASE_URL' },
    { what: 'one without /v1', change: { baseUrl: closed.slice(0, -3) }, variable: 'BASE_URL' },
    { what: 'no key', change: { apiKey: undefined }, variable: 'API_KEY' },
    { what: 'a carriage return', change: { apiKey: `${apiKey}\r` }, variable: 'API_KEY' },
  ])('sends nothing when its $variable has $what, and says so', async ({ change, variable }) => {
    const { code, errors, methods } = await runWith([], ['1', '5'], change);
    const says = sentence(`Set PETSTORE_${variable} to .*`);
    expect({ code, errors, methods }).toStrictEqual({ code: 1, errors: says, methods: [] });
  });

  // Others in the list begin with these digits.
  test.concurrent('changes nothing when the pet is not in the list, and says so', async () => {
    const { code, errors, methods } = await runWith([], ['9007', '5']);
    const says = sentence('The inventory has no pet 9007');
    expect({ code, errors, methods }).toStrictEqual({ code: 1, errors: says, methods: ['GET'] });
  });

  test.concurrent('says that nothing listens at the base URL', async () => {
    const { code, errors } = await runWith([], ['1', '5'], { baseUrl: closed });
    expect({ code, errors }).toStrictEqual({ code: 1, errors: sentence('.*(refused|connect).*') });
  });
};

/** A response that says when to send the request again: after a 429 or 503, nothing was applied. */
const retryLater = (status: 429 | 503 | 504): Reply => {
  const codes = { 429: 'too_many_requests', 503: 'service_unavailable', 504: 'gateway_timeout' };
  return failure(status, { 'Retry-After': '1' }, codes[status]);
};

const testRetries = (): void => {
  const relisted = ['GET', 'GET', 'PATCH'];
  const updatedAgain = ['GET', 'PATCH', 'PATCH'];
  test.concurrent.each([
    { what: 'a list whose connection is cut', replies: [cutList], methods: relisted },
    { what: 'a list without its closing bracket', replies: [unclosedList], methods: relisted },
    { what: 'a list that gets a 503', replies: [retryLater(503)], methods: relisted },
    { what: 'a list that gets no response', replies: [cutConnection], methods: relisted },
    { what: 'an update that is cut off', replies: [list, cutEntry], methods: updatedAgain },
    { what: 'an update that gets a 429', replies: [list, retryLater(429)], methods: updatedAgain },
    { what: 'an update that gets a 504', replies: [list, failure(504)], methods: updatedAgain },
    { what: 'an update that gets none', replies: [list, cutConnection], methods: updatedAgain },
  ])('sends the same again after $what', async ({ replies, methods }) => {
    const end = await runWith(replies);
    expect({ code: end.code, methods: end.methods }).toStrictEqual({ code: 0, methods });
  });

  test.concurrent('asks for gzip', async () => {
    const { code, methods } = await runWith([gzippedList]);
    expect({ code, methods }).toStrictEqual({ code: 0, methods: ['GET', 'PATCH'] });
  });

  test.concurrent.each([429, 503] as const)(
    'sends a conditional update again after a %i',
    async (status) => {
      const { code, conditions } = await runWith([list, retryLater(status)], ['1', '5', etag]);
      expect({ code, conditions }).toStrictEqual({ code: 0, conditions: [etag, etag] });
    },
  );

  test.concurrent.each([300, 400])('sends an update once if it gets a %i', async (status) => {
    const { code, errors, methods } = await runWith([list, failure(status)]);
    const says = sentence(`The service responded with ${status}: .*"code":"x".*`);
    expect({ code, errors, methods }).toStrictEqual({
      code: 1,
      errors: says,
      methods: ['GET', 'PATCH'],
    });
  });

  // The list has been sent by the same connection, which a client or its library may use again.
  test.concurrent.each([
    { what: 'a 500', reply: failure(500), says: '.*responded with 500.*' },
    { what: 'a 504 with Retry-After', reply: retryLater(504), says: '.*responded with 504.*' },
    { what: 'a cut connection', reply: cutConnection, says: '.+' },
    { what: 'a response that is cut off', reply: cutEntry, says: '.+' },
    { what: 'a 412', reply: preconditionFailed('"9-sold"'), says: '.*responded with 412.*' },
  ])('sends a conditional update once if it gets $what', async ({ reply, says }) => {
    const { code, output, errors, conditions } = await runWith([list, reply], ['1', '5', etag]);
    const expected = { code: 1, output: '', errors: sentence(says), conditions: [etag] };
    expect({ code, output, errors, conditions }).toStrictEqual(expected);
  });
};

const attempts = 5;
/** How much less than the whole seconds of a wait a clock may show. */
const tolerance = 0.02;

const testWaits = (): void => {
  test.concurrent('waits for the seconds in Retry-After', async () => {
    const { waits } = await runWith([failure(503, { 'Retry-After': '3' })]);
    expect(waits[0]).toBeGreaterThanOrEqual(3 - tolerance);
  });

  test.concurrent('gives up after five attempts and 1, 2, 4, then 8 seconds, and says so', async () => {
    const { waits, ...end } = await runWith(Array(attempts + 1).fill(failure(500)));
    expect(end).toStrictEqual({
      code: 1,
      output: '',
      errors: sentence('The service responded with 500: .*"code":"x".*'),
      methods: Array(attempts).fill('GET'),
      conditions: [],
    });
    const isShort = [1, 2, 4, 8].map((seconds, index) => (waits[index] ?? 0) < seconds - tolerance);
    expect(isShort).toStrictEqual([false, false, false, false]);
  });

  test.concurrent('adds a random part to its waits', async () => {
    const rejections = Array(attempts - 1).fill(retryLater(429));
    const { waits } = await runWith([...rejections, list, ...rejections]);
    // That all eight random parts are this short happens once in 400,000 runs. A busy machine only
    // makes waits longer.
    const parts = waits.map((wait) => wait - 1);
    expect(Math.max(...parts)).toBeGreaterThan(0.2);
  });
};

/**
 * Tests that an example that sets a quantity changes the right entry, repeats and waits as
 * docs/api.md says, uses no part of a list that was cut off, and says why it fails.
 */
export const testSetQuantityExample = (prepare: () => Promise<Program>): void => {
  beforeAll(async () => {
    program = await prepare();
  });
  testWaits();
  testRetries();
  testWrongUse();
  testRightPet('the example', async () => program);
};
