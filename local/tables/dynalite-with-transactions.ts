import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import plainDynalite from 'dynalite';
import db from 'dynalite/db/index.js';
import updateItem from 'dynalite/validations/updateItem.js';

/**
 * dynalite 4, which has no transactions, with those that the service sends: one update, or one check.
 * It forgets tokens when the process ends.
 */
export const dynalite: typeof plainDynalite = (options) => {
  const server = plainDynalite(options);
  const [listener] = server.listeners('request') as [RequestListener];
  return server.off('request', listener).on('request', withTransactions(listener));
};

interface Transaction {
  ClientRequestToken?: string;
  TransactItems?: { Update?: object; ConditionCheck?: object }[];
}

interface Answer {
  status: number;
  body: { __type?: string; Item?: object };
}

/** Makes dynalite carry out an UpdateItem, or only check its condition. */
type Update = (input: object) => Promise<Answer>;

const withTransactions = (listener: RequestListener): RequestListener => {
  const transact = transactions();
  let last: Promise<unknown> = Promise.resolve();
  return async (message, response) => {
    if (!String(message.headers['x-amz-target']).endsWith('.TransactWriteItems')) {
      listener(message, response);
      return;
    }
    const transaction = (await json(message).catch(() => ({}))) as Transaction;
    // One after the other, so that no two with one token run at the same time.
    const answer = last
      .then(() => transact(transaction, updateOf(listener, message)))
      // Its JSON has not the form of a transaction.
      .catch(() => error('SerializationException'));
    last = answer;
    const { status, body } = await answer;
    const text = JSON.stringify(body);
    response.writeHead(status, { 'x-amz-crc32': crc32(text) }).end(text);
  };
};

/** Milliseconds for which DynamoDB keeps the token of a transaction that has succeeded. */
const kept = 600_000;

/** The transactions that have succeeded, by their tokens: the oldest come first. */
type Taken = Map<string, { items: string; until: number }>;

const forgetExpired = (taken: Taken): void => {
  for (const [token, { until }] of taken) {
    if (Date.now() < until) {
      return;
    }
    taken.delete(token);
  }
};

/** Returns a function that runs a transaction, unless its token has been taken. */
const transactions = () => {
  const taken: Taken = new Map();
  return async (transaction: Transaction, update: Update): Promise<Answer> => {
    const { ClientRequestToken: token = randomUUID(), TransactItems = [] } = transaction;
    const items = JSON.stringify(TransactItems);
    forgetExpired(taken);
    const first = taken.get(token);
    if (first) {
      return first.items === items
        ? success('Read')
        : error('IdempotentParameterMismatchException');
    }
    const answer = await run(TransactItems, update);
    if (answer.status === 200) {
      taken.set(token, { items, until: Date.now() + kept });
    }
    return answer;
  };
};

const run = async (
  [item, ...others]: NonNullable<Transaction['TransactItems']>,
  update: Update,
): Promise<Answer> => {
  const input =
    item?.Update ?? (item?.ConditionCheck && { ...item.ConditionCheck, OnlyChecks: true });
  if (input === undefined || others.length > 0) {
    return error('UnknownOperationException');
  }
  const answer = await update(input);
  return answer.status === 200 ? success('Write') : cancelled(answer);
};

/** A repetition only reads. DynamoDB says so to those who ask, and this to everybody. */
const success = (kind: 'Read' | 'Write'): Answer => ({
  status: 200,
  body: { ConsumedCapacity: [{ [`${kind}CapacityUnits`]: 2 }] } as object,
});

const error = (name: string, details: object = {}): Answer => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...details },
});

/** Returns how a transaction fails whose update has failed. */
const cancelled = (failed: Answer): Answer => {
  const { __type = '', Item } = failed.body;
  const [, Code] = /#(ConditionalCheckFailed)Exception$/.exec(__type) ?? [];
  return Code
    ? error('TransactionCanceledException', { CancellationReasons: [{ Code, Item }] })
    : failed;
};

// dynalite drops UpdateItem's ReturnValuesOnConditionCheckFailure, with which DynamoDB returns the
// item that failed a condition, and does not know our OnlyChecks. It takes the parameters that it
// knows from one object, and checks every condition by one function, so both are extended here.
updateItem.types.ReturnValuesOnConditionCheckFailure = {
  type: 'String',
  enum: ['ALL_OLD', 'NONE'],
};
updateItem.types.OnlyChecks = { type: 'Boolean' };

const { checkConditional } = db;
db.checkConditional = (input, oldItem) => {
  const failure = checkConditional(input, oldItem);
  if (failure && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD') {
    failure.body.Item = oldItem;
  }
  // dynalite then responds with what it gets, and writes nothing.
  return failure ?? (input.OnlyChecks ? { statusCode: 200, body: {} } : failure);
};

/** Returns a function that makes dynalite carry out an UpdateItem in place of a message's operation. */
const updateOf =
  (listener: RequestListener, { method, url, headers }: IncomingMessage): Update =>
  (input) =>
    new Promise((resolve) => {
      const body = Readable.from([Buffer.from(JSON.stringify(input))]);
      const target = { 'x-amz-target': 'DynamoDB_20120810.UpdateItem' };
      const request = Object.assign(body, { method, url, headers: { ...headers, ...target } });
      const response = {
        statusCode: 200,
        setHeader: () => {},
        end: (text: string) => resolve({ status: response.statusCode, body: JSON.parse(text) }),
      };
      listener(request as never, response as never);
    });
