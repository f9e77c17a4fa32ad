import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect } from '@jest/globals';
import { hashApiKey } from '../../../functions/keys/api-key.ts';
import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import type { OperationId } from '../../../infra/service/operations.ts';
import { issueApiKey } from '../../../ops/keys/issued-keys.ts';
import type { Passing } from '../../support/dynamodb/dynamodb-proxy.ts';
import {
  errorResponse,
  type HttpResponse,
  serviceAt,
  unauthorized,
} from '../../support/http/http-client.ts';
import { errors, type Rejection } from '../../support/http/rejections.ts';
import { unthrottled } from '../../support/http/unthrottled.ts';
import type { Fault, FaultyRun } from './faulty-run.ts';

/** A request, and which of its calls to DynamoDB a fault may affect. */
export interface Probe extends Required<Pick<Fault, 'on' | 'where'>> {
  operation: LoggedOperation;
  /** Sends the request and returns what a client sees. */
  ask(): Promise<Answer>;
  /** What a client sees if no fault happens, or if a retry succeeds. */
  success: Answer;
  /**
   * Returns what a client may see if a fault is expected to make the request fail with this status.
   */
  failures(status: number): Answer[];
}

/** The `operation` in the log lines of a function. */
type LoggedOperation = 'authorize' | OperationId;

/** The call to DynamoDB that each function makes, and that a fault may affect. */
export const calls = {
  authorize: 'GetItem',
  listInventory: 'Scan',
  updateInventory: 'UpdateItem',
} as const satisfies Record<LoggedOperation, Fault['on']>;

/** The part of a probe that its request decides. */
type ProbeOfRequest = Omit<Probe, 'operation' | 'on'>;

/**
 * What a client sees, except headers, which are checked against openapi.yaml. `cut` is a response
 * that ends early.
 */
export type Answer = { status: number | 'cut'; body?: unknown; [part: string]: unknown };

const answerTo = async (send: () => Promise<HttpResponse>): Promise<Answer> => {
  const began = performance.now();
  try {
    const { status, body } = await send();
    return { status, body, inTime: performance.now() - began < functionTimeout };
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    return { status: 'cut' };
  }
};

const inTime = (answer: Answer): Answer => ({ ...answer, inTime: true });
const error = (...parts: Rejection) => inTime(errorResponse(...parts));

const uncheckedKey = error(
  500,
  'internal_error',
  'The API key could not be checked. Try again later.',
);

/** Returns the failures of an update or a list that have one of these statuses. */
const failuresWith = (...statuses: number[]) =>
  Object.values(errors).flatMap((parts) => (statuses.includes(parts[0]) ? [error(...parts)] : []));

/** An entry as the engine stores it. */
const item = (petId: number, quantity: number) => ({
  petId: { N: String(petId) },
  quantity: { N: String(quantity) },
  status: { S: 'pending' },
  note: { S: 'of the operators' },
});
export const updatedItem = (petId: number) => item(petId, petId);

/**
 * Returns a probe that updates an entry of its own from the quantity 1 to a quantity equal to the
 * petId.
 */
const update = async (run: FaultyRun, petId: number): Promise<ProbeOfRequest> => {
  const { client, inventory: TableName } = run.tables;
  await client.send(new PutItemCommand({ TableName, Item: item(petId, 1) }));
  const get = new GetItemCommand({ TableName, Key: { petId: { N: String(petId) } } });
  const body = { petId: BigInt(petId), quantity: BigInt(petId), status: 'pending' };
  return {
    where: ({ Key }) => Key.petId.N === String(petId),
    ask: async () => {
      const answer = await answerTo(() => run.patch(petId, `{"quantity":${petId}}`));
      // After a 200, the table must hold the quantity.
      return answer.status === 200 ? { ...answer, stored: (await client.send(get)).Item } : answer;
    },
    success: inTime({ status: 200, body, stored: updatedItem(petId) }),
    failures: failuresWith,
  };
};

/**
 * Returns a function that makes a probe. The authorizer has to check its new key, stored with these
 * attributes.
 */
const check =
  (attributes: { revokedAt?: number }, success: Answer) =>
  async (run: FaultyRun): Promise<ProbeOfRequest> => {
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const issue = { stageName: 'staging', name: 'of a probe', ...attributes };
    const { apiKey } = await issueApiKey(table, issue);
    return {
      where: ({ Key }) => Key.keyHash?.S === hashApiKey(apiKey),
      ask: () => answerTo(() => serviceAt(run.baseUrl, apiKey).patch(404404, '{"quantity":7}')),
      success,
      failures: () => [uncheckedKey],
    };
  };

/**
 * Returns a function that makes a probe. It lists the table, with faults on these pages, and
 * compares only petIds.
 */
const list =
  (where: (input: Passing['body']) => boolean, failures: Probe['failures']) =>
  async (run: FaultyRun): Promise<ProbeOfRequest> => ({
    where,
    ask: async () => {
      const request = () => answerTo(() => run.send({ path: '/inventory' }));
      const { body, ...answer } = await unthrottled(request);
      const petIds = () => (body as { petId: bigint }[]).map(({ petId }) => String(petId)).sort();
      return answer.status === 200 ? { ...answer, body: petIds() } : { ...answer, body };
    },
    success: inTime({
      status: 200,
      body: (await run.entries()).map(({ petId }) => petId?.N).sort(),
    }),
    failures,
  });

interface ProbeMaker {
  operation: LoggedOperation;
  make(run: FaultyRun, petId: number): Promise<ProbeOfRequest>;
}

const updates = (make: ProbeMaker['make']): ProbeMaker => ({ operation: 'updateInventory', make });
const checks = (make: ProbeMaker['make']): ProbeMaker => ({ operation: 'authorize', make });
const lists = (make: ProbeMaker['make']): ProbeMaker => ({ operation: 'listInventory', make });

/** What makes probes, by the call to which the fault happens. Every operation has one. */
export const probes = {
  'an update': updates(update),
  // The authorizer accepts the key, and the update then finds no entry.
  'the check of a key': checks(check({}, error(...errors.notFound))),
  'the check of a revoked key': checks(check({ revokedAt: 1 }, inTime(unauthorized))),
  'the first page': lists(list(({ Segment }) => Segment === undefined, failuresWith)),
  'the first page of a segment': lists(
    list(
      ({ Segment, ExclusiveStartKey }) => Segment !== undefined && !ExclusiveStartKey,
      // Either the attempts or the time may run out first.
      (status) => (status === 503 ? failuresWith(503, 504) : failuresWith(status)),
    ),
  ),
  // Part of the list has been sent once any segment's first page is there, so the response can only
  // be cut off.
  'a later page': lists(
    list(
      ({ ExclusiveStartKey }) => ExclusiveStartKey !== undefined,
      () => [{ status: 'cut' }],
    ),
  ),
};

/** Makes a probe. An update is of this pet. */
export const probeOf = async (
  name: keyof typeof probes,
  run: FaultyRun,
  petId: number,
): Promise<Probe> => {
  const { operation, make } = probes[name];
  return { operation, on: calls[operation], ...(await make(run, petId)) };
};

export const requests = ['an update', 'the check of a key', 'the check of a revoked key'] as const;
export const pages = ['the first page', 'the first page of a segment', 'a later page'] as const;
