import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import { changeKey, issueApiKey } from '../../../ops/keys/issued-keys.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { type Answer, answer, answers, told, uncheckedKey } from './answers.ts';
import type { Fault, FaultyRun } from './faulty-run.ts';
import { type Case, casesOf, type Kind, kinds, type Speed } from './kinds.ts';

/** Milliseconds for all cases together, most of which wait, on a busy machine. */
const longest = 600_000;

/** Fewer than the instances that the local run has of a function: nothing waits for another's fault. */
const width = 8;

/** A request that goes through DynamoDB, in which a fault may happen to it. */
interface Probe extends Pick<Fault, 'on' | 'where'> {
  ask(): Promise<Answer>;
  /** What it gets where the client is told this. */
  expected(status: number): Answer | undefined;
}

const item = (petId: number, quantity: number) => ({
  petId: { N: String(petId) },
  quantity: { N: String(quantity) },
  status: { S: 'pending' },
  note: { S: 'of the operators' },
});

/** Tests what comes of each case, for an update and for the checks of a key and of a revoked one. */
export const testRequests = (speed: Speed, getRun: () => FaultyRun, logged: [string, string, string?][]) => {
  const cases = casesOf(speed);
  const outcomes = new Map<Case, { probe: Probe; during: Answer; after: Answer }[]>();
  let run: FaultyRun;
  let before: object;
  /** How many responses were that the key could not be checked. */
  let withoutCheck = 0;

  /** What the engine holds, by petId. */
  const table = async () => {
    const { Items = [] } = await run.tables.client.send(new ScanCommand({ TableName: run.tables.inventory }));
    return Object.fromEntries(Items.map((entry) => [entry.petId?.N, entry]));
  };

  const patch = (petId: number, quantity: number, headers = {}) =>
    run.send({
      method: 'PATCH',
      path: `/inventory/${petId}`,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ quantity }),
    });

  const updateOf = (petId: number, quantity: number): Probe => ({
    on: 'UpdateItem',
    where: ({ Key }) => Key.petId.N === String(petId),
    ask: async () => {
      const found = await answer(() => patch(petId, quantity));
      const get = new GetItemCommand({ TableName: run.tables.inventory, Key: { petId: { N: String(petId) } } });
      const stored = (await run.tables.client.send(get)).Item?.quantity?.N;
      // A 200 whose quantity the table does not hold is a lie.
      return found.status === 200 && stored !== String(quantity) ? { ...found, stored } : found;
    },
    expected: (status) => {
      const body = { petId: BigInt(petId), quantity: BigInt(quantity), status: 'pending' };
      return status === 200 ? told(200, body) : answers[status];
    },
  });

  const checkOf = (apiKey: string, isValid: boolean): Probe => ({
    on: 'GetItem',
    where: ({ Key }) => Key.keyHash?.S === hashApiKey(apiKey),
    ask: async () => {
      const found = await answer(() => patch(404404, 7, { Authorization: `Bearer ${apiKey}` }));
      withoutCheck += found.status === 500 ? 1 : 0;
      return found;
    },
    // Past the authorizer there is no such entry.
    expected: (status) => (status === 200 ? answers[isValid ? 404 : 401] : uncheckedKey),
  });

  const outcomeOf = async ({ what, times }: Case, probe: Probe) => {
    const end = run.inject({ ...probe, what, times });
    const during = await probe.ask();
    if (times === Number.POSITIVE_INFINITY) {
      end();
    }
    let after = await probe.ask();
    for (let tries = 1; tries < 5 && after.status >= 500; tries++) {
      after = await probe.ask();
    }
    return { probe, during, after };
  };

  const keysTable = () => ({ client: run.tables.client, TableName: run.tables.apiKeys });

  describe('a request, when this happens to the GetItem of its authorizer or to its UpdateItem:', () => {
    beforeAll(async () => {
      run = getRun();
      const probes = await inParallel(cases, width, async (one, index) => {
        const TableName = run.tables.inventory;
        await run.tables.client.send(new PutItemCommand({ TableName, Item: item(1000 + index, 1) }));
        const issued = await issueApiKey(keysTable(), 'staging', { name: one.name });
        const revoked = await issueApiKey(keysTable(), 'staging', { name: one.name });
        await changeKey(keysTable(), revoked.record, { revokedAt: 1 });
        const checks = [checkOf(issued.apiKey, true), checkOf(revoked.apiKey, false)];
        return [updateOf(1000 + index, 5000 + index), ...checks].map((probe) => ({ one, probe }));
      });
      const warmUp = () => answer(() => patch(404404, 7, { Authorization: `Bearer ${createApiKey('staging')}` }));
      await Promise.all(Array.from({ length: width }, () => [patch(1, 1), warmUp()]).flat());
      run.noteInstances();
      before = await table();
      // First what wears off, because what lasts uses up the retries that the SDK allows an instance.
      for (const lasts of [false, true]) {
        const ofThese = probes.flat().filter(({ one }) => one.times >= 3 === lasts);
        const settle = (on: Fault['on']) =>
          inParallel(
            ofThese.filter(({ probe }) => probe.on === on),
            width,
            async ({ one, probe }) => {
              const outcome = await outcomeOf(one, probe);
              outcomes.set(one, [...(outcomes.get(one) ?? []), outcome]);
            },
          );
        await Promise.all([settle('UpdateItem'), settle('GetItem')]);
      }
    }, longest);

    test.each(cases)('$name', (one) => {
      const found = outcomes.get(one) ?? [];
      expect(found).toHaveLength(3);
      expect(found).toEqual(
        found.map(({ probe }) => ({
          probe,
          during: probe.expected(one.expected),
          after: probe.expected(200),
        })),
      );
    });

    test.each([
      { clock: 'a clock an hour ahead', expiresIn: 1_800, isValid: false },
      { clock: 'a clock an hour behind', expiresIn: -1_800, isValid: true },
    ])('keys expire by the clock of the engine: $clock', async ({ clock, expiresIn, isValid }) => {
      const expiresAt = Math.floor(Date.now() / 1000) + expiresIn;
      const { apiKey } = await issueApiKey(keysTable(), 'staging', { name: clock, expiresAt });
      const probe = checkOf(apiKey, isValid);
      const end = run.inject({ ...probe, what: (kinds[clock] as Kind).what, times: Number.POSITIVE_INFINITY });
      expect(await probe.ask()).toEqual(probe.expected(200));
      end();
    });

    const linesOf = (operation: string) =>
      run
        .log()
        .split('\n')
        .filter((line) => line.includes(`"operation":"${operation}"`))
        .map((line) => JSON.parse(line));

    test.each(logged.map((error) => [error]))('the log has %j', ([errorType, errorMessage, ofCause]) => {
      const cause = ofCause && { cause: expect.objectContaining({ errorMessage: ofCause }) };
      // Of the bundle, positions in the sources.
      const stack = expect.stringMatching(/functions\/\w+\/[\w-]+\.ts:\d+:\d+/);
      const line = { level: 'ERROR', errorType, errorMessage, stack, ...cause };
      expect(linesOf('updateInventory')).toContainEqual(expect.objectContaining(line));
    });

    test('a key that cannot be checked is logged as an error, with its cause', () => {
      const failed = linesOf('authorize').filter(({ allowed }) => allowed === undefined);
      expect(failed).toHaveLength(withoutCheck);
      expect(withoutCheck).toBeGreaterThanOrEqual(2 * cases.filter(({ expected }) => expected !== 200).length);
      const text = expect.any(String);
      const line = expect.objectContaining({ level: 'ERROR', errorType: text, errorMessage: text, stack: text });
      expect(failed).toEqual(failed.map(() => line));
    });

    test('each check is consistent, and no call goes on when its request is over', () => {
      const gets = run.calls.filter(({ operation }) => operation === 'GetItem').map(({ body }) => body);
      expect(gets.length).toBeGreaterThan(cases.length);
      expect(gets).toEqual(gets.map(({ Key }) => ({ TableName: run.tables.apiKeys, Key, ConsistentRead: true })));
      expect(run.callsUnderWay()).toBe(0);
    });

    test('nothing changes but the quantities of those entries', async () => {
      const updated = cases.map((_case, index) => [1000 + index, item(1000 + index, 5000 + index)]);
      expect(await table()).toEqual({ ...before, ...Object.fromEntries(updated) });
    });

    test('no instance has ended over it', () => run.expectSameInstances());
  });
};
