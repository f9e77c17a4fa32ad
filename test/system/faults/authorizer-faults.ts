import { beforeAll, expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import { changeKey, issueApiKey } from '../../../ops/keys/issued-keys.ts';
import { contract } from '../../support/http-client.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { type FaultyRun, faultyRun } from './faulty-run.ts';
import { type Case, type Cases, type Kind, kinds } from './kinds.ts';

const width = 10;

/** What somebody gets while the fault lasts, and once it has ended or has worn off. */
type Outcome = Record<'during' | 'after', { status: number; retryAfter: string | undefined; body: unknown }>;

const unchecked = {
  status: 500,
  retryAfter: undefined,
  body: { code: 'internal_error', message: 'The API key could not be checked. Try again later.', status: 500n },
};
const rejected = {
  status: 401,
  retryAfter: undefined,
  body: {
    code: 'unauthorized',
    message: 'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
    status: 401n,
  },
};
/** It is past the authorizer, and there is no such entry. */
const letIn = {
  status: 404,
  retryAfter: undefined,
  body: { code: 'pet_not_found', message: 'No inventory entry has this petId.', status: 404n },
};

/**
 * Tests what comes of each case, for the bearer of a key and for somebody else: first those that wear off, because what lasts uses up
 * the retries that the SDK allows an instance.
 */
export const testAuthorizer = ({ wearingOff, lasting }: Cases) => {
  const cases = [...wearingOff, ...lasting];
  let run: FaultyRun;
  const outcomes = new Map<string, { ofTheirs: Outcome; ofOthers: Outcome }>();
  let warm: number[];
  /** How many responses were that the key could not be checked. */
  let withoutCheck = 0;

  const ask = async (apiKey: string) => {
    const response = await run.send({
      method: 'PATCH',
      path: '/inventory/404404',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: '{"quantity":7}',
    });
    const { status, body } = contract(response);
    withoutCheck += status === 500 ? 1 : 0;
    return { status, retryAfter: response.headers['retry-after'], body };
  };

  const outcomeOf = async (apiKey: string, { what, times }: Case): Promise<Outcome> => {
    const where = ({ Key }: { Key?: object }) => JSON.stringify(Key).includes(hashApiKey(apiKey));
    const end = run.proxy.inject({ on: 'GetItem', where, what, times });
    const during = await ask(apiKey);
    if (times === Number.POSITIVE_INFINITY) {
      end();
    }
    let after = await ask(apiKey);
    for (let tries = 1; tries < 5 && after.status === 500; tries++) {
      after = await ask(apiKey);
    }
    return { during, after };
  };

  beforeAll(async () => {
    run = await faultyRun();
    await Promise.all(Array.from({ length: width }, () => ask(createApiKey('staging'))));
    warm = run.instances();
    const tell = async (one: Case) => {
      const table = { client: run.tables.client, TableName: run.tables.apiKeys };
      const issued = await issueApiKey(table, 'staging', { name: one.name });
      const revoked = await issueApiKey(table, 'staging', { name: one.name });
      await changeKey(table, revoked.record, { revokedAt: 1 });
      const [ofTheirs, ofOthers] = await Promise.all([outcomeOf(issued.apiKey, one), outcomeOf(revoked.apiKey, one)]);
      outcomes.set(one.name, { ofTheirs, ofOthers });
    };
    await inParallel(wearingOff, width / 2, tell);
    await inParallel(lasting, width / 2, tell);
  });

  test.each(cases)('$name', ({ name, expected }) => {
    const letsIn = expected === 200;
    expect(outcomes.get(name)).toEqual({
      ofTheirs: { during: letsIn ? letIn : unchecked, after: letIn },
      ofOthers: { during: letsIn ? rejected : unchecked, after: rejected },
    });
  });

  test.each([
    { clock: 'a clock an hour ahead', expiresIn: 1_800, letsIn: false },
    { clock: 'a clock an hour behind', expiresIn: -1_800, letsIn: true },
  ])('keys expire by the clock of the engine: $clock', async ({ clock, expiresIn, letsIn }) => {
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const expiresAt = Math.floor(Date.now() / 1000) + expiresIn;
    const { apiKey } = await issueApiKey(table, 'staging', { name: clock, expiresAt });
    const { what } = kinds[clock] as Kind;
    const end = run.proxy.inject({ on: 'GetItem', what, times: Number.POSITIVE_INFINITY });
    const response = await ask(apiKey);
    end();
    expect(response).toEqual(letsIn ? letIn : rejected);
  });

  test('whatever cannot be checked is logged as an error, with its cause', () => {
    const lines = run.log().split('\n');
    const checks = lines.filter((line) => line.includes('"operation":"authorize"')).map((line) => JSON.parse(line));
    const failed = checks.filter(({ allowed }) => allowed === undefined);
    expect(failed).toHaveLength(withoutCheck);
    expect(withoutCheck).toBeGreaterThanOrEqual(2 * cases.filter(({ expected }) => expected !== 200).length);
    expect(failed).toEqual(
      failed.map(() =>
        expect.objectContaining({
          level: 'ERROR',
          errorType: expect.any(String),
          errorMessage: expect.any(String),
          stack: expect.any(String),
        }),
      ),
    );
  });

  test('each is consistent, and none goes on when its request is over', () => {
    const gets = run.proxy.calls.filter(({ operation }) => operation === 'GetItem').map(({ input }) => input);
    expect(gets.length).toBeGreaterThan(cases.length);
    expect(gets).toEqual(gets.map(({ Key }) => ({ TableName: run.tables.apiKeys, Key, ConsistentRead: true })));
    expect(run.proxy.underWay).toBe(0);
  });

  test('no instance has ended over it', () => {
    expect(warm.length).toBeGreaterThan(1);
    expect(run.instances()).toEqual(expect.arrayContaining(warm));
  });
};
