import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { until } from '../process/until.ts';
import { interruptClient, type Program, runClient, type Target } from './program.ts';
import { testRightPet } from './right-pet.ts';
import {
  answered,
  cutConnection,
  cutEntry,
  cutList,
  entryOf,
  failure,
  gzippedList,
  list,
  preconditionFailed,
  proxied,
  type Reply,
  scriptedService,
  silent,
  unclosedList,
  updatedWithOtherKey,
  updatedWithoutKey,
  withoutKey,
} from './scripted-service.ts';
import { testSellers, withSetter } from './sellers.ts';

const apiKey = 'petstore_staging_secret';
const etag = '"12-available"';
/** A URL at which nothing listens. */
const closed = 'http://127.0.0.1:2/v1';

let program: Program;

/** Runs the example against a service that sends these replies first. */
const runWith = async (replies: Reply[], args = ['1', '5'], change: Target = {}) => {
  const { baseUrl, methods, conditions, keys, authorizations, waits } =
    await scriptedService(replies);
  const end = await runClient(program, { baseUrl, apiKey, ...change }, ...args);
  return {
    ...end,
    methods: methods(),
    conditions: conditions(),
    keys: keys(),
    authorizations: authorizations(),
    waits: waits(),
  };
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

const retry = { 'Retry-After': '1' };
const throttled = failure(429, retry, 'too_many_requests');
const unavailable = failure(503, retry, 'service_unavailable');

const testRetries = (): void => {
  const relisted = ['GET', 'GET', 'PATCH'];
  test.concurrent.each([
    { what: 'whose connection is cut', reply: cutList },
    { what: 'without its closing bracket', reply: unclosedList },
    { what: 'that gets a 503', reply: unavailable },
    { what: 'that gets no response', reply: cutConnection },
    { what: 'that is something else', reply: answered('{"message":"Service under maintenance"}') },
  ])('lists again after a list $what', async ({ reply }) => {
    const { code, methods } = await runWith([reply]);
    expect({ code, methods }).toStrictEqual({ code: 0, methods: relisted });
  });

  const temporary = [
    { what: 'a 408 of a proxy', reply: proxied(408) },
    { what: 'a 429', reply: throttled },
    { what: 'a 500', reply: failure(500, {}, 'outcome_unknown') },
    { what: 'a 502', reply: failure(502, {}, 'bad_gateway') },
    { what: 'a 503', reply: unavailable },
    { what: 'a 503 of a proxy', reply: proxied(503) },
    { what: 'a 504 of a proxy', reply: proxied(504) },
    { what: 'no response', reply: cutConnection },
    { what: 'a response that is cut off', reply: cutEntry },
    { what: 'lists in lists in lists', reply: answered('['.repeat(100_000)) },
    { what: 'a number of 6,000 digits', reply: answered(entryOf('1', '1'.repeat(6_000))) },
    {
      what: 'a Retry-After of 5,000 digits',
      reply: failure(503, { 'Retry-After': `${'0'.repeat(4_999)}1` }),
    },
    ...[
      '{}',
      'null',
      '[]',
      '{"message":"Service under maintenance"}',
      '{"petId":2,"quantity":5,"status":"available"}',
      '{"petId":1,"quantity":12,"status":"available"}',
    ].map((body) => ({ what: `a 200 with ${body}`, reply: answered(body) })),
  ];

  // That a conditional update is repeated, with its key, is what the sellers show. The list has been
  // sent by the same connection, which a client or its library may use again.
  test.concurrent.each(temporary)('repeats an update that gets $what', async ({ reply }) => {
    const { code, conditions, keys } = await runWith([list, reply]);
    const twice = [undefined, undefined];
    expect({ code, conditions, keys }).toStrictEqual({ code: 0, conditions: twice, keys: twice });
  });
};

const testFirstResponses = (): void => {
  test.concurrent('takes an updated entry with one more member', async () => {
    const more = answered('{"petId": 1, "quantity": 5, "status": "available", "name": "Rex"}');
    const { code, errors, methods } = await runWith([list, more]);
    expect({ code, errors, methods }).toStrictEqual({
      code: 0,
      errors: '',
      methods: ['GET', 'PATCH'],
    });
  });

  test.concurrent('asks for gzip', async () => {
    const { code, methods } = await runWith([gzippedList]);
    expect({ code, methods }).toStrictEqual({ code: 0, methods: ['GET', 'PATCH'] });
  });

  test.concurrent.each([300, 307, 400])('sends an update once if it gets a %i', async (status) => {
    const reply = failure(status, { Location: '/v1/inventory/2' });
    const { code, errors, methods } = await runWith([list, reply]);
    const says = sentence(`The service responded with ${status}: .*"code":"x".*`);
    expect({ code, errors, methods }).toStrictEqual({
      code: 1,
      errors: says,
      methods: ['GET', 'PATCH'],
    });
  });

  test.concurrent('follows no redirect of a list', async () => {
    const { code, errors, methods } = await runWith([proxied(307, { Location: '/v1/inventory' })]);
    expect({ code, errors, methods }).toStrictEqual({
      code: 1,
      errors: sentence('The service responded with 307: <html>'),
      methods: ['GET'],
    });
  });
};

const spent = failure(422, {}, 'idempotency_key_reused');
const tooLate = { 'Retry-After': '300' };

const testOutcomes = (): void => {
  const [notApplied, unknown] = ['', 'It may have been applied: check the entry. '];
  test.concurrent.each([
    { what: 'a 412', replies: [preconditionFailed('"9-sold"')], says: notApplied },
    {
      what: 'a 412 after no response',
      replies: [cutConnection, preconditionFailed('"9-sold"')],
      says: notApplied,
    },
    { what: 'a 422 after no response', replies: [cutConnection, spent], says: notApplied },
    {
      what: 'a 401 after no response',
      replies: [cutConnection, failure(401, {}, 'unauthorized')],
      says: unknown,
    },
    { what: 'a 403 of a firewall', replies: [proxied(403)], says: unknown },
    { what: 'a 412 of a proxy', replies: [proxied(412)], says: unknown },
    {
      what: 'a 412 of a service that did not get the key',
      replies: [withoutKey(preconditionFailed('"9-sold"'))],
      says: unknown,
    },
    { what: 'a redirect', replies: [proxied(307, { Location: '/v1/inventory' })], says: unknown },
    { what: 'a 503 for five minutes', replies: [failure(503, tooLate)], says: unknown },
  ])('says what a conditional update came to that gets $what', async ({ replies, says }) => {
    const { code, output, errors, keys } = await runWith([list, ...replies], ['1', '5', etag]);
    expect({ code, output, errors, keys }).toStrictEqual({
      code: 1,
      output: '',
      errors: sentence(`${says}The service responded with \\d{3}: .*`),
      keys: replies.map(() => 1),
    });
  });
};

const testHome = (): void => {
  test.concurrent('sends the key, and follows no redirect, whatever files at home say', async () => {
    const home = mkdtempSync(join(tmpdir(), 'home-'));
    writeFileSync(join(home, '.netrc'), 'machine 127.0.0.1 login x password y\n', { mode: 0o600 });
    writeFileSync(join(home, '.curlrc'), 'netrc\nlocation\n');
    const redirect = proxied(307, { Location: '/v1/inventory/2' });
    const env = { HOME: home };
    const { errors, methods, authorizations } = await runWith([list, redirect], ['1', '5'], {
      env,
    });
    expect({ errors, methods, authorizations }).toStrictEqual({
      errors: sentence('The service responded with 307: <html>'),
      methods: ['GET', 'PATCH'],
      authorizations: [`Bearer ${apiKey}`],
    });
  });
};

const testInterruptions = (): void => {
  test.concurrent.each([
    { what: 'a conditional', args: ['1', '5', etag], says: /^(Error: )?it may have been applied/i },
    { what: 'an unconditional', args: ['1', '5'], says: /^((?!applied).)*$/s },
  ])('says of $what update that is interrupted what it may have done', async ({ args, says }) => {
    const { baseUrl, methods } = await scriptedService([list, silent]);
    const when = () => until('the update', () => methods().includes('PATCH'));
    const end = await interruptClient(program, { baseUrl, apiKey }, { given: args, when });
    expect(end.code).not.toBe(0);
    expect(end.errors).toMatch(says);
  });
};

const testLostKeys = (): void => {
  test.concurrent.each([
    { what: 'without its key', reply: updatedWithoutKey },
    { what: 'with another key', reply: updatedWithOtherKey },
  ])('does not take an updated entry $what for its own, nor repeats', async ({ reply }) => {
    const { code, output, errors, keys } = await runWith([list, reply], ['1', '5', etag]);
    expect({ code, output, errors, keys }).toStrictEqual({
      code: 1,
      output: '',
      errors: sentence(
        'It may have been applied: check the entry. The response lacks the Idempotency-Key: .*',
      ),
      keys: [1],
    });
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

  test.concurrent.each(['-5', '0', '10000000000', 'Fri, 31 Dec 1999 23:59:59 GMT'])(
    'neither hurries nor waits for ever after Retry-After: %s',
    async (seconds) => {
      const reply = failure(503, { 'Retry-After': seconds });
      const { errors, waits } = await runWith([list, reply], ['1', '5', etag]);
      if (seconds.length === 11) {
        expect(errors).toMatch(/It may have been applied: check the entry. The service/i);
      } else {
        expect(waits[1]).toBeGreaterThanOrEqual(1 - tolerance);
        expect(waits[1]).toBeLessThan(10);
      }
    },
  );

  test.concurrent('gives up after five attempts and 1, 2, 4, then 8 seconds, and says so', async () => {
    const replies = Array(attempts + 1).fill(failure(500));
    const { code, output, errors, methods, waits } = await runWith(replies);
    expect({ code, output, errors, methods }).toStrictEqual({
      code: 1,
      output: '',
      errors: sentence('The service responded with 500: .*"code":"x".*'),
      methods: Array(attempts).fill('GET'),
    });
    const isShort = [1, 2, 4, 8].map((seconds, index) => (waits[index] ?? 0) < seconds - tolerance);
    expect(isShort).toStrictEqual([false, false, false, false]);
  });

  test.concurrent('adds a random part to its waits', async () => {
    const rejections = Array(attempts - 1).fill(throttled);
    const { waits } = await runWith([...rejections, list, ...rejections]);
    // That all eight random parts are this short happens once in 400,000 runs. A busy machine only
    // makes waits longer.
    const parts = waits.map((wait) => wait - 1);
    expect(Math.max(...parts)).toBeGreaterThan(0.2);
  });
};

/** Tests that the example goes through the proxy that its environment names. */
export const testEnvironmentProxy = (): void =>
  test('sends its requests, with the key, through the proxy of its environment', async () => {
    const proxy = await scriptedService();
    const env = { http_proxy: new URL(proxy.baseUrl).origin, no_proxy: '', NO_PROXY: '' };
    const target = { baseUrl: 'http://petstore.invalid/v1', apiKey, env };
    const { code, errors } = await runClient(program, target, '1', '5');
    expect({ code, errors }).toStrictEqual({ code: 0, errors: '' });
    expect(proxy.paths()).toStrictEqual(['http://petstore.invalid/v1/inventory/1']);
    expect(proxy.authorizations()).toStrictEqual([`Bearer ${apiKey}`]);
  });

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
  testFirstResponses();
  testOutcomes();
  testLostKeys();
  testInterruptions();
  testHome();
  testWrongUse();
  testRightPet('the example', async () => program, { isConditional: false });
  testSellers('the example', { count: 16, concurrency: 8 }, () => withSetter(program));
};
