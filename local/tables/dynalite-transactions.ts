import type { RequestListener } from 'node:http';
import { json } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import putItem from 'dynalite/actions/putItem.js';
import updateItem from 'dynalite/actions/updateItem.js';
import db, { type Callback, type Refusal, type Store, type Write } from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import putParameters from 'dynalite/validations/putItem.js';
import updateParameters from 'dynalite/validations/updateItem.js';

/** What dynalite 4 has for the actions of a transaction. */
const actions = {
  Put: { run: putItem, parameters: putParameters },
  Update: { run: updateItem, parameters: updateParameters },
};

/** Adds transactions to dynalite, which has none: those that the service sends. */
export const withTransactions = (listener: RequestListener, store: Store): RequestListener => {
  let last: Promise<unknown> = Promise.resolve();
  return async (message, response) => {
    if (!String(message.headers['x-amz-target']).endsWith('.TransactWriteItems')) {
      listener(message, response);
      return;
    }
    const request = json(message);
    // One after the other, so that no two wait for each other's items.
    const refusal = last.then(async () => transact(store, await request)).catch(refusalOf);
    last = refusal;
    const { statusCode = 200, body = {} } = (await refusal) ?? {};
    const text = JSON.stringify(body);
    response.writeHead(statusCode, { 'x-amz-crc32': crc32(text) }).end(text);
  };
};

/** Returns what an error of dynalite says; of any other, that the request is no such transaction. */
const refusalOf = (error: Partial<Refusal>): Refusal => {
  const { statusCode = 400, body = { __type: 'SerializationException' } } = error;
  return { statusCode, body };
};

/**
 * Carries out all actions of a transaction at once, or none if one is refused. Until then, each
 * holds its item. They must be of different items.
 */
const transact = async (store: Store, request: unknown): Promise<Refusal | undefined> => {
  const { TransactItems } = request as { TransactItems: object[] };
  // The parameters of all are checked before the first holds its item.
  const preparations = TransactItems.map((item) => preparation(item, store));
  const prepared = await Promise.all(preparations.map((prepare) => prepare()));
  const writes = prepared.flatMap(({ write }) => write ?? []);
  const refusal =
    writes.length < prepared.length ? cancelled(prepared) : await writeAll(store, writes);
  const error = refusal ? Object.assign(new Error('It is cancelled.'), refusal) : null;
  for (const { end } of prepared) {
    end?.(error);
  }
  return refusal;
};

/** An action that has only to be written, and then to be ended, or why it is refused. */
type Prepared =
  | { write: Write; end: Callback; refusal?: undefined }
  | { write?: undefined; end?: undefined; refusal: Refusal };

/**
 * Checks the parameters of an action. Returns a function that carries it out up to its write.
 * @throws Refusal
 */
const preparation = (item: object, store: Store): (() => Promise<Prepared>) => {
  const [[kind, input]] = Object.entries(item) as [[keyof typeof actions, object]];
  const { run, parameters } = actions[kind];
  const data = validations.checkTypes(input, parameters.types);
  validations.checkValidations(data, parameters.types, parameters.custom, store);
  return () =>
    new Promise((resolve) => {
      const getItemDb = (table: string) => ({
        ...store.getItemDb(table),
        put: (key: string, value: unknown, end: Callback) =>
          resolve({ write: { type: 'put', key: `item-${table}~${key}`, value }, end }),
      });
      run({ ...store, getItemDb }, data, (refusal) =>
        resolve({ refusal: refusal as unknown as Refusal }),
      );
    });
};

const writeAll = (store: Store, writes: Write[]): Promise<Refusal | undefined> =>
  new Promise((resolve) =>
    store.db.batch(writes, (error) => resolve(error === null ? undefined : refusalOf(error))),
  );

/** Returns why a transaction is cancelled: the reason of each action, or an error that is none. */
const cancelled = (prepared: Prepared[]): Refusal => {
  const isCondition = ({ body }: Refusal) => /#ConditionalCheckFailed/.test(body.__type ?? '');
  const refusals = prepared.map(({ refusal }) => refusal);
  const reasons = refusals.map((refusal) =>
    refusal ? { Code: 'ConditionalCheckFailed', Item: refusal.body.Item } : { Code: 'None' },
  );
  const body = {
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    CancellationReasons: reasons,
  };
  return refusals.find((refusal) => refusal && !isCondition(refusal)) ?? { statusCode: 400, body };
};

// dynalite drops ReturnValuesOnConditionCheckFailure, with which DynamoDB returns the item that failed
// a condition. It takes the parameters that it knows from one object for each operation, and checks
// every condition by one function, so these are extended here.
for (const { parameters } of Object.values(actions)) {
  parameters.types.ReturnValuesOnConditionCheckFailure = {
    type: 'String',
    enum: ['ALL_OLD', 'NONE'],
  };
}
const { checkConditional } = db;
db.checkConditional = (input, oldItem) => {
  const failure = checkConditional(input, oldItem);
  if (failure && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD') {
    failure.body.Item = oldItem;
  }
  return failure;
};
