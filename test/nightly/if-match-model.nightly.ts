import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { attemptTimeout } from '../../functions/shared/time-limits.ts';
import { respond, respondWithError, type Script } from '../support/dynamodb/dynamodb.ts';
import { type Passing, pass } from '../support/dynamodb/dynamodb-proxy.ts';
import { type Fault, faults } from '../support/dynamodb/faults.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
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
const scriptOf = ({ what, silent }: Fault): Script => (silent ? givenUp(what) : what);
const cancelled = {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
};

/** The values of the update that a call makes, if it makes one. */
const valuesOf = (body: Passing['body']) =>
  (body.TransactItems === undefined ? body : body.TransactItems[1].Update)
    .ExpressionAttributeValues;

/** Brings the stock back to what the update demanded, as soon as the update was applied. */
const broughtBack =
  (then: Script): Script =>
  async (call) => {
    const { status } = await call.forward();
    const before = valuesOf(call.body)?.[':old_quantity']?.N;
    if (status === 200 && before !== undefined) {
      await putQuantity(Number(before));
    }
    await then(call);
  };
const scripts: Record<string, Script> = {
  none: pass,
  'a reset after the engine has run the call, and the stock comes back': broughtBack(
    ({ response }) => response.socket?.resetAndDestroy(),
  ),
  ...Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, scriptOf(fault)])),
  'a conflict': (call) =>
    (call.operation === 'TransactWriteItems'
      ? respond(400, JSON.stringify(cancelled))
      : respondWithError(400, 'TransactionConflictException'))(call),
  // DynamoDB does not say whether it reports every reason, or the first that it finds.
  'a reason that is not reported': async ({ forward, response }) => {
    const { status, headers, body } = await forward();
    const reasons = body.CancellationReasons;
    const { 'content-length': _, ...others } = headers;
    if (reasons?.filter(({ Code }: { Code: string }) => Code !== 'None').length > 1) {
      reasons[Math.floor(Math.random() * reasons.length)] = { Code: 'None' };
    }
    const text = JSON.stringify(body);
    response.writeHead(status, { ...others, 'x-amz-crc32': crc32(text) }).end(text);
  },
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
  const quantity = Number(valuesOf(call.body)?.[':quantity'].N);
  call.forward = async () => {
    const answer = await forward();
    // A refusal is a call without a quantity.
    if (answer.status === 200 && quantity > 0) {
      applied.set(quantity, (applied.get(quantity) ?? 0) + 1);
    }
    return answer;
  };
  const fault = schedule.shift() ?? 'none';
  happened.add(fault);
  const ended = Promise.resolve(scripts[fault]?.(call)).catch(() => {});
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
  /** Whether it has an ETag or a key, and so a receipt. */
  isOnce: boolean;
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
  const isOnce = ifMatch?.startsWith('"') ?? false;
  sent.push({ isOnce, hasKey: false, statuses: [statusCode], quantity });
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
  sent.push({ isOnce: true, hasKey: true, statuses, quantity });
};

/** What clients and operators do to the pet, which has had these quantities. */
const acts = {
  update: () => update(),
  updateIfAny: () => update('*'),
  updateIfAsNow: (had: number[]) => update(`"${had.at(-1)}-available"`),
  insist: (had: number[]) => insist(`"${had.at(-1)}-available"`, 60_000),
  insistInHaste: (had: number[]) => insist(`"${had.at(-1)}-available"`, 4),
  insistIfAny: () => insist('*', 4),
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
  fc.oneof(fc.constant('none'), fc.constantFrom(...Object.keys(scripts))),
  { minLength: 80, maxLength: 160 },
);

/** Returns what a request must not be, by how often it was applied; undefined if it is right. */
const wrong = ({ isOnce, hasKey, statuses, quantity }: Sent): string | undefined => {
  const times = applied.get(quantity) ?? 0;
  const isRight = statuses.every((status) => {
    if (status === 200) {
      return isOnce ? times === 1 : times >= 1;
    }
    return !isOnce || times === 0 || (times === 1 && status >= 500);
  });
  const answers = new Set(statuses.filter((status) => status < 500));
  return isRight && answers.size <= 1
    ? undefined
    : `${statuses}, applied ${times} times, once: ${isOnce}, key: ${hasKey}`;
};

test('a 200 with a receipt was applied once, any other at least once, and no 4xx with a receipt ever', async () => {
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
      for (const { isOnce, hasKey, statuses } of sent) {
        const key = `${statuses.at(-1)}${isOnce ? ' once' : ''}${hasKey ? ' with a key' : ''}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      expect(sent.map(wrong).filter(Boolean)).toStrictEqual([]);
    }),
    // A run takes a second. One that stands still fails, and does not wait for the whole suite's limit.
    { numRuns: 40, endOnFailure: true, timeout: 120_000 },
  );

  // Otherwise, the runs would show nothing.
  expect([...happened].sort()).toStrictEqual(Object.keys(scripts).sort());
  const ofBoth = [200, 404, 500].flatMap((status) => [`${status}`, `${status} once`]);
  const ofKeys = [200, 404, 412].map((status) => `${status} once with a key`);
  const expected = [...ofBoth, '412 once', ...ofKeys];
  expect(expected.filter((key) => !seen.has(key))).toStrictEqual([]);
});
