import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { attemptTimeout } from '../../functions/shared/time-limits.ts';
import type { Script } from '../support/dynamodb/dynamodb.ts';
import { pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { type Kind, kinds } from '../support/dynamodb/kinds.ts';
import { captureLog } from '../support/functions/capture-log.ts';

/** How to give up each attempt, as if its time was over. */
const givingUp = new Map<string, () => void>();
/** Identifies an attempt by the headers of its request. */
const attemptOf = (headers: IncomingHttpHeaders | OutgoingHttpHeaders) =>
  `${headers['amz-sdk-invocation-id']} ${headers['amz-sdk-request']}`;

// The function begins to limit the time of a request as soon as it has made it.
let lastMade = '';
const { request } = http;
jest.spyOn(http, 'request').mockImplementation(((
  options: { headers: OutgoingHttpHeaders },
  ...others: []
) => {
  lastMade = attemptOf(options.headers);
  return request(options, ...others);
}) as never);
const { setTimeout } = globalThis;
jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
  run: () => void,
  delay: number,
  ...others: []
) => {
  if (delay === attemptTimeout) {
    givingUp.set(lastMade, run);
  }
  return setTimeout(run, delay, ...others);
}) as never);

/** Lets the client of a silent call wait for a moment, and then give up. */
const givenUp =
  (what: Script): Script =>
  async (call) => {
    const happens = what(call);
    await Promise.race([happens, sleep(20)]);
    givingUp.get(attemptOf(call.headers))?.();
    await happens;
  };
const late =
  (then: Script): Script =>
  async (call) => {
    await then(call);
    await sleep(40);
    await call.forward();
  };
const scriptOf = ({ what, silent }: Kind): Script => (silent ? givenUp(what) : what);
const faults: Record<string, Script> = {
  none: pass,
  ...Object.fromEntries(kinds.map((kind) => [kind.name, scriptOf(kind)])),
  // In place of the one that would take three seconds.
  'silence, and the engine runs the call later': givenUp(late(() => {})),
  'a reset, and the engine runs the call later': late(({ response }) =>
    response.socket?.resetAndDestroy(),
  ),
};

/** The faults of the next calls. */
let schedule: string[] = [];
const happened = new Set<string>();
/** How often the table was changed by each request, by the quantity that it alone sets. */
const applied = new Map<number, number>();
/** What happens to calls, perhaps still when their requests have ended. */
const happening: Promise<unknown>[] = [];

const { engine, tableName, put, stored, patch } = await inventoryTable(async (call) => {
  const { forward } = call;
  const quantity = Number(call.body.ExpressionAttributeValues[':quantity'].N);
  call.forward = async () => {
    const answer = await forward();
    if (answer.status === 200) {
      applied.set(quantity, (applied.get(quantity) ?? 0) + 1);
    }
    return answer;
  };
  const fault = schedule.shift() ?? 'none';
  happened.add(fault);
  const ended = Promise.resolve(faults[fault]?.(call)).catch(() => {});
  happening.push(ended);
  await ended;
  return 'written';
});

captureLog();

let lastQuantity = 0;
const nextQuantity = (): number => {
  lastQuantity += 1;
  return lastQuantity;
};
const putQuantity = (quantity: number) =>
  put(7, { quantity: { N: String(quantity) }, status: { S: 'available' } });

interface Sent {
  hasEtag: boolean;
  status: number;
  /** The quantity that this request alone sets. */
  quantity: number;
}
let sent: Sent[] = [];

const update = async (ifMatch?: string) => {
  const quantity = nextQuantity();
  const headers: Record<string, string[]> = ifMatch === undefined ? {} : { 'If-Match': [ifMatch] };
  const { statusCode } = await patch('7', `{"quantity":${quantity}}`, headers);
  sent.push({ hasEtag: ifMatch?.startsWith('"') ?? false, status: statusCode, quantity });
};

/** What clients and operators do to the pet, which has had these quantities. */
const acts = {
  update: () => update(),
  updateIfAny: () => update('*'),
  updateIfAsNow: (had: number[]) => update(`"${had.at(-1)}-available"`),
  updateIfAsLongAgo: (had: number[]) => update(`"${had[0]}-available"`),
  remove: () => engine.deleteItem({ TableName: tableName, Key: { petId: { N: '7' } } }),
  create: () => putQuantity(nextQuantity()),
  // The ETags of requests that are under way match again.
  restore: (had: number[]) => putQuantity(had[Math.floor(had.length / 2)] ?? 0),
};
type Act = keyof typeof acts;

const act = fc.constantFrom<Act[]>(
  ...(Object.keys(acts) as Act[]),
  ...(['updateIfAsNow', 'updateIfAsNow'] as const),
);
/** Clients and operators, each of which does one thing after the other. */
const actors = fc.array(fc.array(act, { minLength: 4, maxLength: 8 }), {
  minLength: 6,
  maxLength: 10,
});
const faultsOfRun = fc.array(
  fc.oneof(fc.constant('none'), fc.constantFrom(...Object.keys(faults))),
  { minLength: 80, maxLength: 160 },
);

/** Returns what a request must not be, by how often it was applied; undefined if it is right. */
const wrong = ({ hasEtag, status, quantity }: Sent): string | undefined => {
  const times = applied.get(quantity) ?? 0;
  const isNever = (status >= 400 && status < 500) || (status === 503 && hasEtag);
  const isRight =
    (status === 200 && (hasEtag ? times === 1 : times >= 1)) ||
    (isNever && times === 0) ||
    (status >= 500 && !isNever);
  return isRight ? undefined : `a ${status}, applied ${times} times, ETag: ${hasEtag}`;
};

test('a 200 to an ETag was applied once, any other at least once, and no 4xx ever', async () => {
  const seen = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(actors, faultsOfRun, async (actsOf, faultsNow) => {
      schedule = [...faultsNow];
      applied.clear();
      sent = [];
      const had: number[] = [];
      await putQuantity(nextQuantity());
      const actAll = async (all: Act[]) => {
        for (const each of all) {
          had.push(Number((await stored(7))?.quantity?.N ?? 0));
          await acts[each](had);
        }
      };
      await Promise.all(actsOf.map(actAll));
      await Promise.all(happening.splice(0));
      for (const { hasEtag, status } of sent) {
        const key = `${status}${hasEtag ? ' with an ETag' : ''}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      expect(sent.map(wrong).filter(Boolean)).toStrictEqual([]);
    }),
    { numRuns: 40, endOnFailure: true },
  );

  // Otherwise, the runs would show nothing.
  expect([...happened].sort()).toStrictEqual(Object.keys(faults).sort());
  expect(happened.size).toBeGreaterThan(27);
  const ofBoth = [200, 404, 500].flatMap((status) => [`${status}`, `${status} with an ETag`]);
  const expected = [...ofBoth, '503', '412 with an ETag'];
  expect(expected.filter((key) => (seen.get(key) ?? 0) < 10)).toStrictEqual([]);
});
