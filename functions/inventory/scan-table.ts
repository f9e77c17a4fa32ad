import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import type { SendOptions } from '../dynamodb/attempt-by.ts';
import { client, type DynamodbClient, dynamodbClient } from '../dynamodb/dynamodb-client.ts';
import { ResponseBuffer } from '../dynamodb/response-buffer.ts';
import type { UnparsedOutput } from '../dynamodb/wire-format.ts';
import { pageAttempts } from '../shared/time-limits.ts';
import { type ListedPage, parsePage } from './parse-page.ts';
import { rewritePage } from './rewrite-page.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

/**
 * Items per page. A table that fits into one page is read with one request, without segments. For a
 * larger table, the first page is read twice. Full pages (1 MB, about 25,000 items) would raise the
 * peak memory by half.
 */
const Limit = 5_000;

/**
 * The number of parallel segments. Measured with 30 ms per page, 1 segment reads 80 to 115 thousand
 * items a second, 4 read 200 to 470 thousand. Lambda streams 2 MB/s, or 140 thousand when
 * compressed, so more would only cost memory.
 */
const TotalSegments = 4;

/**
 * The client for the pages after the first. It makes more attempts, because a list that is cut off
 * is lost as a whole. It is created when a list first needs it; the list of a small table never
 * does.
 */
let persistentClient: DynamodbClient | undefined;

/** A part of the table that is read page by page. */
interface Segment {
  /** What a Scan of this segment says; nothing if it is of the whole table. */
  input: { Segment?: number; TotalSegments?: number };
  client: DynamodbClient;
  /** Holds the page that was read last. */
  buffer: ResponseBuffer;
}

interface ReadPage {
  segment: Segment;
  /** DynamoDB's JSON. Until the page is the next to be listed, it stays out of V8's heap. */
  bytes: Buffer;
}

/**
 * Yields the pages of a scan of the whole table, in any order, each as of the time when it was
 * read. Each segment reads at most one page ahead of the consumer.
 */
export async function* scanTable(options: SendOptions): AsyncGenerator<ListedPage> {
  const whole: Segment = { input: {}, client, buffer: new ResponseBuffer() };
  const first = listedPage(await readPage(whole, undefined, options));
  if (!first.LastEvaluatedKey) {
    yield first;
    return;
  }

  const reads = new Map<Segment, Promise<ReadPage>>();
  const readAhead = (segment: Segment, key?: ScanCommandInput['ExclusiveStartKey']) => {
    const read = readPage(segment, key, options);
    // The loop below awaits it later. Until then, a failure must not count as an unhandled
    // rejection.
    read.catch(() => {});
    reads.set(segment, read);
  };
  for (const segment of segments()) {
    readAhead(segment);
  }
  while (reads.size > 0) {
    const read = await Promise.race(reads.values());
    reads.delete(read.segment);
    const page = listedPage(read);
    if (page.LastEvaluatedKey) {
      readAhead(read.segment, page.LastEvaluatedKey);
    }
    yield page;
  }
}

const segments = (): Segment[] => {
  persistentClient ??= dynamodbClient(pageAttempts);
  const shared = persistentClient;
  return Array.from({ length: TotalSegments }, (_, number) => ({
    input: { Segment: number, TotalSegments },
    client: shared,
    buffer: new ResponseBuffer(),
  }));
};

const readPage = async (
  segment: Segment,
  ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'],
  options: SendOptions,
): Promise<ReadPage> => {
  const { input, client, buffer } = segment;
  const page = { TableName, ConsistentRead: true, Limit, ...input, ExclusiveStartKey };
  // Parsing takes most of a list's CPU, so the page is left unparsed.
  const output: unknown = await client.send(new ScanCommand(page), { ...options, buffer });
  return { segment, bytes: (output as UnparsedOutput).bytes };
};

const listedPage = ({ bytes }: ReadPage): ListedPage => {
  const page = bytes.toString();
  return rewritePage(page) ?? parsePage(page);
};
