import type { ServerResponse } from 'node:http';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { serve } from '../http/serve.ts';
import { runProgram } from '../process/tools.ts';
import { type LocalRun, localRun } from './local-run.ts';

/**
 * A program that sets the quantity of a pet: it takes PET_ID and QUANTITY, and prints the updated
 * entry.
 */
type Program = [command: string, ...args: string[]];

type Target = { baseUrl?: string; apiKey: string };

const setQuantity = async (program: Program, { baseUrl, apiKey }: Target, ...given: unknown[]) => {
  const [command, ...args] = program;
  // Users start the programs without the options of the tests, some of which Node 18 rejects.
  const env = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey, NODE_OPTIONS: '' };
  const started = performance.now();
  const end = await runProgram(command, [...args, ...given.map(String)], env);
  // No output may contain the key, not even the output of a failure.
  expect(end.output + end.errors).not.toContain(apiKey.trim());
  return { ...end, took: performance.now() - started };
};

/** Returns the quantity of every entry by petId. */
export const quantitiesOf = async (run: LocalRun): Promise<Map<bigint, bigint>> => {
  const { body } = await run.send({ path: '/inventory' });
  return new Map(
    (body as { petId: bigint; quantity: bigint }[]).map(({ petId, quantity }) => [petId, quantity]),
  );
};

const petIds = [-9223372036854775808n, 9007199254740993n, 9223372036854775807n];
/** The entry that a client would change if it rounded 9007199254740993. */
const decoy = { petId: { N: '9007199254740992' }, quantity: { N: '3' }, status: { S: 'sold' } };

const entry = '{"petId":1,"quantity":12,"status":"available"}';

type Reply = (response: ServerResponse) => unknown;
const reply =
  (status: number, body: string, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
const failure = (status: number, headers = {}) =>
  reply(status, `{"code":"x","message":"x","status":${status}}`, headers);
const list = reply(200, `[${entry}]`);
const cut: Reply = (response) =>
  response.writeHead(200).write(`[${entry}`, () => response.destroy());

const key = 'petstore_staging_secret';
/** A URL at which nothing listens. */
const closed = 'http://127.0.0.1:2';

const testFailures = (program: () => Program, run: () => LocalRun, shortens: boolean): void => {
  /**
   * Runs the program against a server that sends these responses first, and after them the list or
   * the entry.
   */
  const runWith = async (...first: Reply[]) => {
    const requests: { method: string; at: number }[] = [];
    const baseUrl = await serve(({ method = '' }, response) => {
      requests.push({ method, at: performance.now() });
      (first.shift() ?? (method === 'GET' ? list : reply(200, entry)))(response);
    });
    const end = await setQuantity(program(), { baseUrl, apiKey: key }, 1n, 5);
    /** Milliseconds between each request and the one before it; 0 for the first. */
    const waits = requests.map(({ at }, index) => at - (requests[index - 1]?.at ?? at));
    return { ...end, methods: requests.map(({ method }) => method), waits };
  };

  test('retries after the seconds in Retry-After, and also without that header', async () => {
    const rejections = [failure(429, { 'Retry-After': '1' }), failure(502)];
    const { code, methods, waits } = await runWith(
      failure(503, { 'Retry-After': '2' }),
      list,
      ...rejections,
    );
    expect({ code, methods }).toEqual({
      code: 0,
      methods: ['GET', 'GET', 'PATCH', 'PATCH', 'PATCH'],
    });
    expect(waits[1]).toBeGreaterThanOrEqual(1_990);
    expect(waits[3]).toBeGreaterThanOrEqual(990);
    expect(waits[4]).toBeGreaterThanOrEqual(450);
  });

  test('gives up after five attempts, with waits of 1, 2, 4 and 8 seconds minus a random part, and says why', async () => {
    const [failed, refused] = await Promise.all([
      runWith(...Array(6).fill(failure(500))),
      setQuantity(program(), { baseUrl: closed, apiKey: key }, 1n, 5),
    ]);
    expect(failed.methods).toEqual(Array(5).fill('GET'));
    expect(failed.errors).toMatch(/500.*"code":"x"/s);
    expect(refused.errors).toMatch(/refused|connect/i);
    expect(refused.took).toBeGreaterThanOrEqual(7_000);
    expect([failed.code, refused.code]).not.toContain(0);
    const parts = failed.waits.slice(1).map((wait, index) => wait / 1_000 / 2 ** index);
    // The machine may be busy and make any wait longer.
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0.4);
    expect(Math.max(...parts)).toBeLessThan(5);
    expect(Math.min(...parts) < 1).toBe(shortens);
  });

  test.each([['1'], ['1', ''], ['', '5'], ['[1-3]', '5']])(
    'changes nothing if it is called with %j %j',
    async (...given) => {
      const before = await quantitiesOf(run());
      expect((await setQuantity(program(), run(), ...given)).code).not.toBe(0);
      expect(await quantitiesOf(run())).toEqual(before);
    },
  );

  test.each([
    ['no base URL', { apiKey: key }, /PETSTORE_BASE_URL|scheme/],
    [
      'a key that ends with a carriage return',
      { baseUrl: closed, apiKey: `${key}\r` },
      /PETSTORE_API_KEY|header/,
    ],
  ])('fails at once with %s', async (_what, target, reason) => {
    const { code, errors } = await setQuantity(program(), target, 1n, 5);
    expect(code).not.toBe(0);
    expect(errors).toMatch(reason);
  });

  test.each([
    ['cut off', cut],
    ['incomplete JSON', reply(200, `[${entry}`)],
  ])('uses no part of a list that is %s', async (_how, part) => {
    const { code, output, methods } = await runWith(part);
    // The program either lists again or fails.
    expect(methods).toEqual(code === 0 ? ['GET', 'GET', 'PATCH'] : ['GET']);
    expect(output !== '').toBe(code === 0);
  });

  test.each([300, 400])('does not retry after a %i, and shows the response', async (status) => {
    const { code, errors, methods } = await runWith(list, failure(status));
    expect(code).not.toBe(0);
    expect(errors).toMatch(new RegExp(`${status}.*"code":"x"`, 's'));
    expect(methods).toEqual(['GET', 'PATCH']);
  });
};

/** Tests that a program changes the right entry. */
export const testGeneratedClient = (
  name: string,
  prepare: () => Promise<Program>,
  testMore?: (program: () => Program, run: () => LocalRun) => void,
): void =>
  describe(name, () => {
    let program: Program;
    let run: LocalRun;
    beforeAll(async () => {
      program = await prepare();
      run = await localRun();
      await run.tables.client.send(
        new PutItemCommand({ TableName: run.tables.inventory, Item: decoy }),
      );
    });

    test.each(petIds)('changes %s and nothing else', async (petId) => {
      const before = await quantitiesOf(run);
      const quantity = Number(before.get(petId)) + 1;
      const { code, output, errors } = await setQuantity(program, run, petId, quantity);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(output).toMatch(new RegExp(`"petId": ?${petId},`));
      expect(await quantitiesOf(run)).toEqual(before.set(petId, BigInt(quantity)));
    });

    testMore?.(
      () => program,
      () => run,
    );
  });

/**
 * Tests that a program changes the right entry, waits before it retries, uses no part of a list
 * that was cut off, and says why it fails. `shortens` tells whether a random part shortens its
 * waits.
 */
export const testExample = (name: string, prepare: () => Promise<Program>, shortens = true): void =>
  testGeneratedClient(name, prepare, (program, run) => testFailures(program, run, shortens));
