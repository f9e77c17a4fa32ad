import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { attemptTimeout } from '../../functions/shared/time-limits.ts';
import { respond, respondWithError, type Script } from '../support/dynamodb/dynamodb.ts';
import { type Passing, pass } from '../support/dynamodb/dynamodb-proxy.ts';
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
const cancelled = {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  CancellationReasons: [{ Code: 'TransactionConflict' }],
};

/** The update that a call makes, if it makes one. */
const updateOf = (body: Passing['body']) =>
  body.TransactItems === undefined ? body : body.TransactItems[0].Update;

/** Brings the stock back to what the update demanded, as soon as the update was applied. */
const broughtBack =
  (then: Script): Script =>
  async (call) => {
    const { status } = await call.forward();
    const before = updateOf(call.body)?.ExpressionAttributeValues[':currentQuantity']?.N;
    if (status === 200 && before !== undefined) {
      await putQuantity(Number(before));
    }
    await then(call);
  };
const faults: Record<string, Script> = {
  none: pass,
  'a reset after the engine has run the call, and the stock comes back': broughtBack(
    ({ response }) => response.socket?.resetAndDestroy(),
  ),
  ...Object.fromEntries(kinds.map((kind) => [kind.name, scriptOf(kind)])),
  'a conflict': (call) =>
    (call.operation === 'TransactWriteItems'
      ? respond(400, JSON.stringify(cancelled))
      : respondWithError(400, 'TransactionConflictException'))(call),
  'a transaction that is still running': async (call) => {
    const forwarded = call.forward();
    respondWithError(400, 'TransactionInProgressException')(call);
    await forwarded;
  },
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
  const quantity = Number(updateOf(call.body)?.ExpressionAttributeValues[':quantity'].N);
  if (call.operation === 'TransactWriteItems') {
    call.body.ReturnConsumedCapacity = 'TOTAL';
  }
  call.forward = async () => {
    const answer = await forward();
    // A transaction that is repeated is only read.
    const isRepeated = answer.body.ConsumedCapacity?.[0].ReadCapacityUnits > 0;
    if (answer.status === 200 && !isRepeated) {
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
  hasKey: boolean;
  /** The statuses of the responses, of which there are several if the request was repeated. */
  statuses: number[];
  /** The quantity that this request alone sets. */
  quantity: number;
}
let sent: Sent[] = [];

const update = async (ifMatch?: string) => {
  const quantity = nextQuantity();
  const headers: Record<string, string[]> = ifMatch === undefined ? {} : { 'If-Match': [ifMatch] };
  const { statusCode } = await patch('7', `{"quantity":${quantity}}`, headers);
  const hasEtag = ifMatch?.startsWith('"') ?? false;
  sent.push({ hasEtag, hasKey: false, statuses: [statusCode], quantity });
};

/**
 * Sends an update with a key until it knows the outcome. `patience` is how many milliseconds it
 * waits for a response before it sends the same request again.
 */
const insist = async (ifMatch: string, patience: number) => {
  const quantity = nextQuantity();
  const headers = { 'If-Match': [ifMatch], 'Idempotency-Key': [`sale-${quantity}`] };
  const statuses: number[] = [];
  const isKnown = () => statuses.some((status) => status < 500);
  const trials: Promise<unknown>[] = [];
  for (let trial = 0; trial < 12 && !isKnown(); trial++) {
    const responds = patch('7', `{"quantity":${quantity}}`, headers).then(({ statusCode }) =>
      statuses.push(statusCode),
    );
    trials.push(responds);
    await Promise.race([responds, sleep(patience, undefined, { ref: false })]);
  }
  await Promise.all(trials);
  sent.push({ hasEtag: true, hasKey: true, statuses, quantity });
};

/** What clients and operators do to the pet, which has had these quantities. */
const acts = {
  update: () => update(),
  updateIfAny: () => update('*'),
  updateIfAsNow: (had: number[]) => update(`"${had.at(-1)}-available"`),
  insist: (had: number[]) => insist(`"${had.at(-1)}-available"`, 60_000),
  insistInHaste: (had: number[]) => insist(`"${had.at(-1)}-available"`, 4),
  updateIfAsLongAgo: (had: number[]) => update(`"${had[0]}-available"`),
  remove: () => engine.deleteItem({ TableName: tableName, Key: { petId: { N: '7' } } }),
  create: () => putQuantity(nextQuantity()),
  // The ETags of requests that are under way match again.
  restore: (had: number[]) => putQuantity(had[Math.floor(had.length / 2)] ?? 0),
};
type Act = keyof typeof acts;

const act = fc.constantFrom<Act[]>(
  ...(Object.keys(acts) as Act[]),
  ...(['updateIfAsNow', 'updateIfAsNow', 'insist', 'insistInHaste'] as const),
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
const wrong = ({ hasEtag, hasKey, statuses, quantity }: Sent): string | undefined => {
  const times = applied.get(quantity) ?? 0;
  const isRight = statuses.every((status) => {
    const isNever = (status >= 400 && status < 500) || (status === 503 && hasEtag && !hasKey);
    return (
      (status === 200 && (hasEtag ? times === 1 : times >= 1)) ||
      (isNever && times === 0) ||
      (status >= 500 && !isNever && (!hasEtag || times <= 1))
    );
  });
  return isRight
    ? undefined
    : `${statuses}, applied ${times} times, ETag: ${hasEtag}, key: ${hasKey}`;
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
      for (const { hasEtag, hasKey, statuses } of sent) {
        const key = `${statuses.at(-1)}${hasEtag ? ' with an ETag' : ''}${hasKey ? ' and a key' : ''}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      expect(sent.map(wrong).filter(Boolean)).toStrictEqual([]);
    }),
    // A run takes a second. One that stands still fails, and does not wait for the whole suite's limit.
    { numRuns: 40, endOnFailure: true, timeout: 120_000 },
  );

  // Otherwise, the runs would show nothing.
  expect([...happened].sort()).toStrictEqual(Object.keys(faults).sort());
  const ofBoth = [200, 404, 500].flatMap((status) => [`${status}`, `${status} with an ETag`]);
  const ofKeys = [200, 404, 412].map((status) => `${status} with an ETag and a key`);
  const expected = [...ofBoth, '503', '412 with an ETag', ...ofKeys];
  expect(expected.filter((key) => (seen.get(key) ?? 0) < 10)).toStrictEqual([]);
});
