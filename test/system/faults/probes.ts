import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { hashApiKey } from '../../../functions/keys/api-key.ts';
import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import { issueApiKey } from '../../../ops/keys/issued-keys.ts';
import type { Passing } from '../../support/dynamodb-proxy.ts';
import { contract, errorResponse, type HttpResponse, json, unauthorized } from '../../support/http-client.ts';
import type { Fault, FaultyRun } from './faulty-run.ts';

/** A request, and the calls to DynamoDB in it that a fault may happen to. */
export interface Probe extends Required<Pick<Fault, 'on' | 'where'>> {
  /** Of the function that makes these calls, as its log lines have it. */
  operation: string;
  /** Calls of this kind that the function makes before it gives up. */
  attempts: number;
  /** Sends the request, and tells what a client sees. */
  ask(): Promise<Answer>;
  /** What that may be, if this is what the client is told. */
  expected(status: number): Answer[];
}

/** All that a client goes by; or a response that breaks off. */
export type Answer = { status: number | 'cut'; body?: unknown; [part: string]: unknown };

export const isFailure = ({ status }: Answer): boolean => status === 'cut' || status >= 500;

const answerTo = async (send: () => Promise<HttpResponse>): Promise<Answer> => {
  const began = performance.now();
  try {
    const response = await send();
    const inTime = performance.now() - began < functionTimeout;
    return { ...contract(response), retryAfter: response.headers['retry-after'], inTime };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') {
      return { status: 'cut' };
    }
    throw error;
  }
};

const told = (status: number, body: unknown): Answer => {
  const retryAfter = status === 503 ? '1' : undefined;
  return { status, contentType: 'application/json', body, retryAfter, inTime: true };
};

const error = (status: number, code: string, message: string) =>
  told(status, errorResponse(status, code, message).body);

const notFound = error(404, 'pet_not_found', 'No inventory entry has this petId.');
const uncheckedKey = error(500, 'internal_error', 'The API key could not be checked. Try again later.');

/** Of an update or a list. */
const failures: Record<number, Answer> = {
  500: error(500, 'internal_error', 'Something went wrong on our side. Try again later.'),
  503: error(503, 'service_unavailable', 'The inventory cannot be reached for the moment. Try again.'),
  504: error(504, 'gateway_timeout', 'The request took too long. Try again later.'),
};
const failure = (status: number) => failures[status] as Answer;

/** An entry as the engine stores it. */
const item = (petId: number, quantity: number) => ({
  petId: { N: String(petId) },
  quantity: { N: String(quantity) },
  status: { S: 'pending' },
  note: { S: 'of the operators' },
});
export const updatedItem = (petId: number) => item(petId, petId);

/** Updates an entry of its own, from a quantity of 1 to one of its petId. */
const update = async (run: FaultyRun, petId: number): Promise<Probe> => {
  const { client, inventory: TableName } = run.tables;
  await client.send(new PutItemCommand({ TableName, Item: item(petId, 1) }));
  const get = new GetItemCommand({ TableName, Key: { petId: { N: String(petId) } } });
  const body = { petId: BigInt(petId), quantity: BigInt(petId), status: 'pending' };
  return {
    operation: 'updateInventory',
    on: 'UpdateItem',
    where: ({ Key }) => Key.petId.N === String(petId),
    attempts: 3,
    ask: async () => {
      const answer = await answerTo(() => run.patch(petId, `{"quantity":${petId}}`));
      const stored = (await client.send(get)).Item?.quantity?.N;
      // A 200 whose quantity the table does not hold is a lie.
      return answer.status === 200 && stored !== String(petId) ? { ...answer, stored } : answer;
    },
    expected: (status) => [status === 200 ? told(200, body) : failure(status)],
  };
};

/** Checks a key of its own, of which the table holds this besides. */
export const check =
  (attributes: { expiresAt?: number; revokedAt?: number }, isValid: boolean) =>
  async (run: FaultyRun): Promise<Probe> => {
    const table = { client: run.tables.client, TableName: run.tables.apiKeys };
    const { apiKey } = await issueApiKey(table, 'staging', { name: 'of a probe', ...attributes });
    return {
      operation: 'authorize',
      on: 'GetItem',
      where: ({ Key }) => Key.keyHash?.S === hashApiKey(apiKey),
      attempts: 3,
      ask: () => answerTo(() => run.patch(404404, '{"quantity":7}', { ...json, Authorization: `Bearer ${apiKey}` })),
      // Past the authorizer there is no such entry.
      expected: (status) => (status === 200 ? [isValid ? notFound : told(401, unauthorized.body)] : [uncheckedKey]),
    };
  };

/** Lists the table, certain pages of which the fault happens to. What a client sees of a list is the petIds in it. */
const list =
  (attempts: number, where: (input: Passing['body']) => boolean, failed: (status: number) => Answer[]) =>
  async (run: FaultyRun): Promise<Probe> => {
    const all = (await run.entries()).map(({ petId }) => petId?.N).sort();
    return {
      operation: 'listInventory',
      on: 'Scan',
      where,
      attempts,
      ask: async () => {
        const answer = await answerTo(() => run.send({ path: '/inventory' }));
        const petIds = () => (answer.body as { petId: bigint }[]).map(({ petId }) => String(petId)).sort();
        return answer.status === 200 ? { ...answer, body: petIds() } : answer;
      },
      expected: (status) => (status === 200 ? [told(200, all)] : failed(status)),
    };
  };

/** By what the fault happens to. */
export const probes = {
  'an update': update,
  'the check of a key': check({}, true),
  'the check of a revoked key': check({ revokedAt: 1 }, false),
  'the first page': list(
    3,
    ({ Segment }) => Segment === undefined,
    (status) => [failure(status)],
  ),
  'the first page of a segment': list(
    8,
    ({ Segment, ExclusiveStartKey }) => Segment !== undefined && !ExclusiveStartKey,
    // Attempts or time may run out first.
    (status) => (status === 503 ? [failure(503), failure(504)] : [failure(status)]),
  ),
  // Something has been sent once one page of one segment is here.
  'a later page': list(
    8,
    ({ ExclusiveStartKey }) => ExclusiveStartKey !== undefined,
    () => [{ status: 'cut' }],
  ),
};

export const requests = ['an update', 'the check of a key', 'the check of a revoked key'] as const;
export const pages = ['the first page', 'the first page of a segment', 'a later page'] as const;
