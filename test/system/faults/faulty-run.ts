import { dynamodbProxy, type Passing, pass } from '../../support/dynamodb/dynamodb-proxy.ts';
import { startEngine } from '../../support/dynamodb/engine.ts';
import { type KindName, kindNamed } from '../../support/dynamodb/kinds.ts';
import type { HttpResponse } from '../../support/http/raw-request.ts';
import type { Rejection } from '../../support/http/rejections.ts';
import { engineClient, localRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';

interface Fault {
  what: KindName;
  /** Selects the calls to which it may happen. */
  on: (call: Passing) => boolean;
  /** To how many of them it happens. Default: to all. */
  times?: number | undefined;
}

/** What a client sees of a response. */
export type Seen = ReturnType<typeof seen> | 'cut off';
const seen = ({ status, text, headers }: HttpResponse) => ({
  status,
  text,
  etag: headers.etag,
  retryAfter: headers['retry-after'],
});

/** Returns what a client sees of an Error response. */
export const errorSeen = (
  [status, code, message]: Rejection,
  { retryAfter }: { retryAfter?: string } = {},
): Seen => ({
  status,
  text: JSON.stringify({ code, message, status }),
  etag: undefined,
  retryAfter,
});

/** Returns what a client sees of an update of a pet to 2. */
export const updateSeen = (petId: number): Seen => ({
  status: 200,
  text: `{"petId":${petId},"quantity":2,"status":"pending"}`,
  etag: '"2-pending"',
  retryAfter: undefined,
});

/** Starts the service, with a proxy between its functions and their DynamoDB. */
export const faultyRun = async () => {
  const faults = new Set<Fault & { happened: number }>();
  const { endpoint, close } = await startEngine();
  atEnd(close);
  const proxy = await dynamodbProxy(endpoint, async (call) => {
    if (call.operation === 'Scan') {
      // DynamoDB may always send fewer. Every segment then has several pages.
      call.body.Limit = 4;
    }
    const fault = [...faults].find(
      ({ on, times = Number.POSITIVE_INFINITY, happened }) => happened < times && on(call),
    );
    if (fault === undefined) {
      return pass(call);
    }
    fault.happened += 1;
    await kindNamed(fault.what).what(call);
    return 'written';
  });
  atEnd(proxy.close);
  const run = await localRun('--dynamodb', proxy.endpoint);
  const tables = engineClient(endpoint);
  atEnd(() => tables.destroy());
  const { inventory: TableName } = run.tables;
  const keyOf = (petId: number) => ({ petId: { N: String(petId) } });

  let lastPetId = 1_000;
  return {
    ...run,
    startOutage: proxy.startOutage,
    /** A client of the tables that no fault happens to. */
    tables: { ...run.tables, client: tables },
    /** Adds a pet with the quantity 1. */
    newPet: async (): Promise<number> => {
      lastPetId += 1;
      const values = { quantity: { N: '1' }, status: { S: 'pending' } };
      await tables.putItem({ TableName, Item: { ...keyOf(lastPetId), ...values } });
      return lastPetId;
    },
    quantityOf: async (petId: number) =>
      (await tables.getItem({ TableName, Key: keyOf(petId) })).Item?.quantity?.N,
    /** Sets the quantity of a pet to 2. */
    update: (petId: number, headers: Record<string, string> = {}): Promise<Seen> => {
      const json = { 'Content-Type': 'application/json' };
      return run.patch(petId, '{"quantity":2}', { ...json, ...headers }).then(seen);
    },
    list: (): Promise<Seen> =>
      run.send({ path: '/inventory' }).then(seen, ({ code }) => {
        if (code !== 'ECONNRESET') {
          throw new Error(`A list failed with ${code}.`);
        }
        return 'cut off';
      }),
    /** Does something during a fault, which must happen. */
    during: async <Result>(fault: Fault, act: () => Promise<Result>): Promise<Result> => {
      const active = { ...fault, happened: 0 };
      faults.add(active);
      const result = await act();
      faults.delete(active);
      if (active.happened === 0) {
        throw new Error(`There was no ${fault.what}.`);
      }
      return result;
    },
  };
};

/** Selects the updates of one pet. */
export const updateOf =
  (petId: number) =>
  ({ body }: Passing): boolean => {
    const update = body.TransactItems?.[0].Update ?? body;
    return 'UpdateExpression' in update && update.Key.petId.N === String(petId);
  };
