import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { functionTimeout } from '../../../functions/shared/time-limits.ts';
import type { Call } from './fault-proxy.ts';
import { type FaultyRun, faultyRun } from './faulty-run.ts';
import { kinds } from './kinds.ts';

/** Which pages it happens to. Until one page of one segment is here, nothing has been sent to the client. */
const pages = {
  'the first page': ({ Segment }: Call['input']) => Segment === undefined,
  'the first page of a segment': ({ Segment, ExclusiveStartKey }: Call['input']) =>
    Segment !== undefined && ExclusiveStartKey === undefined,
  'a later page': ({ ExclusiveStartKey }: Call['input']) => ExclusiveStartKey !== undefined,
};

export type Page = keyof typeof pages;

export interface ListFault {
  kind: string;
  page: Page;
  times: number;
}

export const everyListFault = (times: number): ListFault[] =>
  Object.keys(kinds).flatMap((kind) => (Object.keys(pages) as Page[]).map((page) => ({ kind, page, times })));

/**
 * What a client sees of a list: its status and how often it has each entry, or whether an Error response was there in
 * the time of any other operation; `cut` for one that breaks off.
 */
export type Seen =
  | { status: number; entries: Record<string, number> }
  | { status: number; withTimeout: boolean; retryAfter?: string }
  | 'cut';

export type ListRun = Awaited<ReturnType<typeof listRun>>;

/** The service with a table of several pages, a proxy, and the entries that a list has to have. */
export const listRun = async () => {
  const run = await faultyRun();
  run.proxy.pageSize = 4;
  const more = Array.from({ length: 25 }, (_, index) => ({
    PutRequest: { Item: { petId: { N: String(100 + index) }, quantity: { N: '1' }, status: { S: 'sold' } } },
  }));
  await run.tables.client.send(new BatchWriteItemCommand({ RequestItems: { [run.tables.inventory]: more } }));
  const all = await list(run);
  const warm = run.instances();
  const outcomeOf = async ({ kind, page, times }: ListFault): Promise<{ during: Seen; after: Seen }> => {
    const end = run.proxy.inject({ on: 'Scan', where: pages[page], what: kinds[kind]?.what ?? (() => {}), times });
    const during = await list(run);
    end();
    return { during, after: await list(run) };
  };
  return { run, warm, all, outcomeOf };
};

const list = async (run: FaultyRun): Promise<Seen> => {
  const began = performance.now();
  try {
    const { status, headers, body } = await run.send({ path: '/inventory' });
    if (status !== 200) {
      const withTimeout = performance.now() - began < functionTimeout;
      return { status, withTimeout, ...(headers['retry-after'] && { retryAfter: headers['retry-after'] }) };
    }
    const entries: Record<string, number> = {};
    for (const { petId } of body as { petId: bigint }[]) {
      entries[String(petId)] = (entries[String(petId)] ?? 0) + 1;
    }
    return { status, entries };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') {
      return 'cut';
    }
    throw error;
  }
};

/** What a client has to see of a list that this happens to. */
export const expectedOf = ({ kind, page, times }: ListFault, all: Seen): Seen => {
  const { once = 0, forEver = 0 } = kinds[kind] ?? {};
  const attempts = page === 'the first page' ? 3 : 8;
  const status = times < attempts ? once : forEver;
  if (status === 200) {
    return all;
  }
  if (page === 'a later page') {
    return 'cut';
  }
  return { status, withTimeout: true, ...(status === 503 && { retryAfter: '1' }) };
};
