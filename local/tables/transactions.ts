import type { IncomingMessage, RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

/** Milliseconds for which DynamoDB keeps the token of a transaction that has succeeded. */
const kept = 600_000;

/** What the service sends: one change with a token, or one check that is always true. */
interface Transaction {
  ClientRequestToken: string;
  TransactItems: [{ Update?: object }];
  /** With this, the units tell a repetition, which only reads, from the first. */
  ReturnConsumedCapacity?: string;
}

interface Answer {
  status: number;
  body: { __type?: string; Item?: object; ConsumedCapacity?: object[] };
}

/**
 * Adds to dynalite, which has none, the transactions that the service sends. Tokens live as long as
 * the process.
 */
export const withTransactions = (listener: RequestListener): RequestListener => {
  const taken = new Map<string, { at: number; items: string }>();
  let queue: Promise<unknown> = Promise.resolve();

  const run = async (message: IncomingMessage, transaction: Transaction): Promise<Answer> => {
    const { ClientRequestToken: token, TransactItems } = transaction;
    const items = JSON.stringify(TransactItems);
    const first = taken.get(token);
    if (first && Date.now() - first.at < kept) {
      const isSame = first.items === items;
      return isSame ? success(transaction, 'Read') : error('IdempotentParameterMismatchException');
    }
    const [{ Update }] = TransactItems;
    const { status, body } = Update
      ? await update(listener, message, Update)
      : { status: 200, body: {} };
    if (status === 200) {
      taken.set(token, { at: Date.now(), items });
      return success(transaction, 'Write');
    }
    return cancelled({ status, body });
  };

  return async (message, response) => {
    if (!String(message.headers['x-amz-target']).endsWith('.TransactWriteItems')) {
      listener(message, response);
      return;
    }
    const transaction = (await json(message)) as Transaction;
    // One after the other, so that no two have the same token.
    const answer = queue.then(() => run(message, transaction));
    queue = answer;
    const { status, body } = await answer;
    const text = JSON.stringify(body);
    response.writeHead(status, { 'x-amz-crc32': crc32(text) }).end(text);
  };
};

const success = ({ ReturnConsumedCapacity }: Transaction, kind: 'Read' | 'Write'): Answer => ({
  status: 200,
  body: ReturnConsumedCapacity ? { ConsumedCapacity: [{ [`${kind}CapacityUnits`]: 2 }] } : {},
});

const error = (name: string, details: object = {}): Answer => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...details },
});

const cancelled = (failed: Answer): Answer => {
  const { __type = '', Item } = failed.body;
  const Code = /#(ConditionalCheckFailed)Exception$/.exec(__type)?.[1];
  return Code
    ? error('TransactionCanceledException', { CancellationReasons: [{ Code, Item }] })
    : failed;
};

/** Sends dynalite an UpdateItem in place of a message. */
const update = (
  listener: RequestListener,
  { method, url, headers }: IncomingMessage,
  input: object,
) =>
  new Promise<Answer>((resolve) => {
    const target = { 'x-amz-target': 'DynamoDB_20120810.UpdateItem' };
    const body = Readable.from([Buffer.from(JSON.stringify(input))]);
    const request = Object.assign(body, { method, url, headers: { ...headers, ...target } });
    const response = {
      statusCode: 200,
      setHeader: () => {},
      end: (text: string) => resolve({ status: response.statusCode, body: JSON.parse(text) }),
    };
    listener(request as never, response as never);
  });
