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
/** A URL at which nothing listens. */
const closed = 'http://127.0.0.1:2/v1';

let program: Program;

/** Runs the example against a service that sends these replies first. */
const runWith = async (replies: Reply[], ...etag: string[]) => {
  const { baseUrl, methods, conditions, waits } = await scriptedService(replies);
  const end = await runClient(program, { baseUrl, apiKey }, '1', '5', ...etag);
  return { ...end, methods: methods(), conditions: conditions(), waits: waits() };
};

/** Matches what is printed if it is one sentence: a stack trace has several lines. */
const sentence = (pattern: string) =>
  expect.stringMatching(new RegExp(`^(Error: )?${pattern}\\.?\\n$`, 'i'));

const testWrongUse = (): void => {
  const usage = 'Usage: .* PET_ID QUANTITY \\[ETAG]';
  test.concurrent.each([
    { what: 'no arguments', args: [], says: usage },
    { what: 'one argument', args: ['1'], says: usage },
    { what: 'four arguments', args: ['1', '5', '"7-sold"', '5'], says: usage },
    { what: 'an ETag without quotes', args: ['1', '5', '7-sold'], says: 'ETAG must be .* 7-sold' },
    { what: 'an empty petId', args: ['', '5'], says: 'PET_ID must be an integer, not ""' },
    { what: 'a pattern', args: ['[1-3]', '5'], says: 'PET_ID must be an integer, not "\\[1-3]"' },
    { what: 'a fraction', args: ['1.5', '5'], says: 'PET_ID must be an integer, not "1.5"' },
    { what: 'a quantity in words', args: ['1', 'five'], says: 'QUANTITY must be .*, not "five"' },
    { what: 'an empty quantity', args: ['1', ''], says: 'QUANTITY must be .*, not ""' },
    { what: 'a quantity below 0', args: ['1', '-5'], says: 'QUANTITY must be .*, not "-5"' },
  ])('sends nothing when it is called with $what, and says so', async ({ args, says }) => {
    const { baseUrl, methods } = await scriptedService();
    const end = await runClient(program, { baseUrl, apiKey }, ...args);
    expect(end).toStrictEqual({ code: 1, output: '', errors: sentence(says) });
    expect(methods()).toStrictEqual([]);
  });

  const baseUrlIsWrong = 'Set PETSTORE_BASE_URL to .*';
  const keyIsWrong = 'Set PETSTORE_API_KEY to .*';
  test.concurrent.each<{ what: string; change: Target; says: string }>([
    { what: 'no base URL', change: { baseUrl: undefined }, says: baseUrlIsWrong },
    { what: 'an empty base URL', change: { baseUrl: '' }, says: baseUrlIsWrong },
    {
      what: 'a base URL without /v1',
      change: { baseUrl: closed.slice(0, -3) },
      says: baseUrlIsWrong,
    },
    { what: 'a host as the base URL', change: { baseUrl: '127.0.0.1:2/v1' }, says: baseUrlIsWrong },
    { what: 'no key', change: { apiKey: undefined }, says: keyIsWrong },
    { what: 'an empty key', change: { apiKey: '' }, says: keyIsWrong },
    { what: 'a key and a carriage return', change: { apiKey: `${apiKey}\r` }, says: keyIsWrong },
  ])('sends nothing when its environment has $what, and says so', async ({ change, says }) => {
    const { baseUrl, methods } = await scriptedService();
    const end = await runClient(program, { baseUrl, apiKey, ...change }, '1', '5');
    expect(end).toStrictEqual({ code: 1, output: '', errors: sentence(says) });
    expect(methods()).toStrictEqual([]);
  });

  test.concurrent('changes nothing when the pet is not in the list, and says so', async () => {
    const { baseUrl, methods } = await scriptedService();
    const end = await runClient(program, { baseUrl, apiKey }, '12', '5');
    const errors = sentence('The inventory has no pet 12');
    expect(end).toStrictEqual({ code: 1, output: '', errors });
    expect(methods()).toStrictEqual(['GET']);
  });
};

const testRetries = (): void => {
  test.concurrent.each([
    { what: 'a list whose connection is cut', replies: [cutList] },
    { what: 'a list without its closing bracket', replies: [unclosedList] },
    { what: 'a 429', replies: [failure(429, { 'Retry-After': '1' })] },
    { what: 'a 503', replies: [failure(503, { 'Retry-After': '1' })] },
    { what: 'a 502', replies: [failure(502)] },
    { what: 'a cut connection', replies: [cutConnection] },
  ])('lists again after $what', async ({ replies }) => {
    const { code, methods } = await runWith(replies);
    expect({ code, methods }).toStrictEqual({ code: 0, methods: ['GET', 'GET', 'PATCH'] });
  });

  test.concurrent.each([
    { what: 'a response that is cut off', replies: [list, cutEntry] },
    { what: 'a 429', replies: [list, failure(429, { 'Retry-After': '1' })] },
    { what: 'a 503', replies: [list, failure(503, { 'Retry-After': '1' })] },
    { what: 'a 504', replies: [list, failure(504)] },
    { what: 'a cut connection', replies: [list, cutConnection] },
  ])('updates again after $what', async ({ replies }) => {
    const { code, methods } = await runWith(replies);
    expect({ code, methods }).toStrictEqual({ code: 0, methods: ['GET', 'PATCH', 'PATCH'] });
  });

  test.concurrent.each([300, 400, 409])('does not retry after a %i', async (status) => {
    const { code, errors, methods } = await runWith([list, failure(status)]);
    const says = sentence(`The service responded with ${status}: .*"code":"x".*`);
    expect({ code, errors, methods }).toStrictEqual({
      code: 1,
      errors: says,
      methods: ['GET', 'PATCH'],
    });
  });

  test.concurrent('asks for gzip', async () => {
    const { code, methods } = await runWith([gzippedList]);
    expect({ code, methods }).toStrictEqual({ code: 0, methods: ['GET', 'PATCH'] });
  });
};

const etag = '"12-available"';

const testConditions = (): void => {
  test.concurrent.each([429, 503])(
    'sends an ETag, and repeats a conditional update after a %i',
    async (status) => {
      const notApplied = failure(status, { 'Retry-After': '1' });
      const { code, conditions } = await runWith([list, notApplied], etag);
      expect({ code, conditions }).toStrictEqual({ code: 0, conditions: [etag, etag] });
    },
  );

  // The list has been sent by the same connection, which a client or its library may use again.
  test.concurrent.each([
    { what: 'a 500', reply: failure(500), says: '.*responded with 500.*' },
    { what: 'a 502', reply: failure(502), says: '.*responded with 502.*' },
    { what: 'a 504', reply: failure(504), says: '.*responded with 504.*' },
    {
      what: 'a 504 with Retry-After',
      reply: failure(504, { 'Retry-After': '1' }),
      says: '.*responded with 504.*',
    },
    { what: 'a cut connection', reply: cutConnection, says: '.+' },
    { what: 'a response that is cut off', reply: cutEntry, says: '.+' },
    { what: 'a 412', reply: preconditionFailed('"9-sold"'), says: '.*responded with 412.*' },
  ])('sends a conditional update once if it gets $what', async ({ reply, says }) => {
    const { code, output, errors, conditions } = await runWith([list, reply], etag);
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

  test.concurrent('waits 1, 2, 4, then 8 seconds without Retry-After', async () => {
    const { waits } = await runWith(Array(attempts).fill(failure(500)));
    const isShort = [1, 2, 4, 8].map((seconds, index) => (waits[index] ?? 0) < seconds - tolerance);
    expect(isShort).toStrictEqual([false, false, false, false]);
  });

  test.concurrent('adds a random part to its waits', async () => {
    const rejections = Array(attempts - 1).fill(failure(429, { 'Retry-After': '1' }));
    const { waits } = await runWith([...rejections, list, ...rejections]);
    // That all eight random parts are this short happens once in 400,000 runs. A busy machine only
    // makes waits longer.
    const parts = waits.map((wait) => wait - 1);
    expect(Math.max(...parts)).toBeGreaterThan(0.2);
  });

  test.concurrent.each([
    { what: 'a 500', reply: failure(500), says: 'The service responded with 500: .*"code":"x".*' },
    {
      what: 'a list that is cut off',
      reply: unclosedList,
      says: '.* cut off or is not valid JSON',
    },
  ])('gives up after five times $what, and says so', async ({ reply, says }) => {
    const { code, output, errors, methods } = await runWith(Array(attempts + 1).fill(reply));
    expect({ code, output, errors }).toStrictEqual({ code: 1, output: '', errors: sentence(says) });
    expect(methods).toStrictEqual(Array(attempts).fill('GET'));
  });

  test.concurrent('says that nothing listens at the base URL', async () => {
    const end = await runClient(program, { baseUrl: closed, apiKey }, '1', '5');
    const errors = sentence('.*(refused|connect).*');
    expect(end).toStrictEqual({ code: 1, output: '', errors });
  });
};

/**
 * Tests that an example that sets a quantity changes the right entry, repeats and waits as
 * docs/api.md says, uses no part of a list that was cut off, and says why it fails.
 */
export const testSafeUpdates = (prepare: () => Promise<Program>): void => {
  beforeAll(async () => {
    program = await prepare();
  });
  testWaits();
  testRetries();
  testConditions();
  testWrongUse();
  testRightPet('the example', async () => program);
};
