import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { hashApiKey } from '../../../functions/keys/api-key.ts';
import type { OperationId } from '../../../infra/service/operations.ts';
import { json, serviceAt, unauthorized } from '../../../ops/acceptance/suite/http-client.ts';
import { issueApiKey, revokeKey } from '../../../ops/keys/issued-keys.ts';
import type { Passing } from '../../support/dynamodb/dynamodb-proxy.ts';
import { errors } from '../../support/http/rejections.ts';
import { unthrottled } from '../../support/http/unthrottled.ts';
import { type Answer, answerTo, error, failuresWith, inTime } from './answers.ts';
import type { Fault, FaultyRun } from './faulty-run.ts';
import type { Kind } from './kinds.ts';

/** A request, and the calls to DynamoDB to which a fault of it may happen. */
export interface Probe extends Required<Pick<Fault, 'on' | 'where'>> {
  /** The `operation` in the log lines of the function that makes the calls. */
  operation: 'authorize' | OperationId;
  /** Sends the request and returns what the client sees. */
  ask(): Promise<Answer>;
  /** Returns what the client may see of a fault after which a request has this status. */
  expected(status: number, kind: Kind): Answer[];
  /** Returns what the client must see of the same request after the fault. */
  afterwards(): Promise<Answer>;
}

const succeedingWith = (success: Answer, failures: (status: number) => Answer[]) => ({
  expected: (status: number) => (status === 200 ? [success] : failures(status)),
  afterwards: async () => success,
});

/** An item as the engine stores it. */
const item = (petId: number, quantity: number) => ({
  petId: { N: String(petId) },
  quantity: { N: String(quantity) },
  status: { S: 'pending' },
  note: { S: 'of the operators' },
});
export const updatedItem = (petId: number) => item(petId, petId);

/** Updates an item of its own from the quantity 1 to a quantity equal to the petId. */
const update = async (run: FaultyRun, petId: number, headers = {}) => {
  const { client, inventory: TableName } = run.tables;
  await run.put(item(petId, 1));
  const get = new GetItemCommand({ TableName, Key: { petId: { N: String(petId) } } });
  const stored = async () => (await client.send(get)).Item;
  const etag = `"${petId}-pending"`;
  const body = { petId: BigInt(petId), quantity: BigInt(petId), status: 'pending' };
  const success = inTime({ status: 200, body, etag, stored: updatedItem(petId) });
  const probe: Probe = {
    operation: 'updateInventory',
    on: 'UpdateItem',
    where: ({ Key }) => Key.petId.N === String(petId),
    ask: async () => {
      const send = () => run.patch(petId, `{"quantity":${petId}}`, { ...json, ...headers });
      const answer = await answerTo(send);
      // After a 200, the table must hold the quantity.
      return answer.status === 200 ? { ...answer, stored: await stored() } : answer;
    },
    ...succeedingWith(success, failuresWith),
  };
  return { probe, success, etag, stored };
};

const unknownOutcome = error(
  503,
  'service_unavailable',
  'It is not known whether the update was applied. Look at the entry before sending another.',
);

/** Demands with If-Match the quantity 1, which the item has until the update is applied. */
const conditionalUpdate = async (run: FaultyRun, petId: number): Promise<Probe> => {
  const { probe, ...known } = await update(run, petId, { 'If-Match': '"1-pending"' });
  return {
    ...probe,
    expected: (status, kind) => {
      if (status === 503) {
        return [...failuresWith(503), unknownOutcome];
      }
      // A retry may meet what the first attempt has written, so it proves nothing.
      if (status === 200 && kind.isRun) {
        return [unknownOutcome];
      }
      const other = kind.isRunLater ? [unknownOutcome] : [];
      return [...probe.expected(status, kind), ...other];
    },
    afterwards: async () => {
      const isApplied = (await known.stored())?.quantity?.N === String(petId);
      const preconditionFailed = error(
        412,
        'precondition_failed',
        'The entry is not as If-Match says. The ETag header says how it is now.',
      );
      return isApplied ? { ...preconditionFailed, etag: known.etag } : known.success;
    },
  };
};

const uncheckedKey = error(
  500,
  'internal_error',
  'The API key could not be checked. Try again later.',
);

/** Uses a new key, perhaps a revoked one, which the authorizer has to check. */
const keyCheck = async (run: FaultyRun, { isRevoked = false }, success: Answer): Promise<Probe> => {
  const table = { client: run.tables.client, TableName: run.tables.apiKeys };
  const { apiKey, record } = await issueApiKey(table, { stageName: 'staging', name: 'of a probe' });
  if (isRevoked) {
    await revokeKey(table, record);
  }
  return {
    operation: 'authorize',
    on: 'GetItem',
    where: ({ Key }) => Key.keyHash?.S === hashApiKey(apiKey),
    ask: () => answerTo(() => serviceAt(run.baseUrl, apiKey).patch(404404, '{"quantity":7}')),
    ...succeedingWith(success, () => [uncheckedKey]),
  };
};

type Page = (input: Passing['body']) => boolean;

/** Lists the table, with faults on the pages that are selected, and compares only petIds. */
const list = async (
  run: FaultyRun,
  where: Page,
  failures: (status: number) => Answer[],
): Promise<Probe> => {
  const body = (await run.entries()).map(({ petId }) => petId?.N).sort();
  return {
    operation: 'listInventory',
    on: 'Scan',
    where,
    ask: async () => {
      const request = () => answerTo(() => run.send({ path: '/inventory' }));
      const answer = await unthrottled(request);
      const petIds = () =>
        (answer.body as { petId: bigint }[]).map(({ petId }) => String(petId)).sort();
      return answer.status === 200 ? { ...answer, body: petIds() } : answer;
    },
    ...succeedingWith(inTime({ status: 200, body }), failures),
  };
};

const isFirst: Page = ({ Segment }) => Segment === undefined;
const isFirstOfSegment: Page = ({ Segment, ExclusiveStartKey }) =>
  Segment !== undefined && !ExclusiveStartKey;
const isLater: Page = ({ ExclusiveStartKey }) => ExclusiveStartKey !== undefined;

type MakeProbe = (run: FaultyRun, petId: number) => Promise<Probe>;

export const requestProbes = {
  'an update': async (run, petId) => (await update(run, petId)).probe,
  'an update with If-Match': conditionalUpdate,
  // The authorizer accepts the key, and the update then finds no item.
  'the check of a key': (run) => keyCheck(run, {}, error(...errors.notFound)),
  'the check of a revoked key': (run) => keyCheck(run, { isRevoked: true }, inTime(unauthorized)),
} satisfies Record<string, MakeProbe>;

export const listProbes = {
  'the first page': (run) => list(run, isFirst, failuresWith),
  // Either the attempts or the time may run out first.
  'the first page of a segment': (run) =>
    list(run, isFirstOfSegment, (status) => failuresWith(status, ...(status === 503 ? [504] : []))),
  // Part of the list has been sent once any segment's first page is there, so the response can only
  // be cut off.
  'a later page': (run) => list(run, isLater, () => [{ status: 'cut' }]),
} satisfies Record<string, MakeProbe>;

export const probes = { ...requestProbes, ...listProbes } satisfies Record<string, MakeProbe>;

export type ProbeName = keyof typeof probes;
