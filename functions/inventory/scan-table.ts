import { ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { ResponseBuffer } from '../dynamodb/connect.ts';
import {
  client,
  type DynamodbClient,
  dynamodbClient,
  type SendOptions,
} from '../dynamodb/dynamodb-client.ts';
import type { UnparsedOutput } from '../dynamodb/wire-format.ts';
import { variable } from '../shared/environment.ts';
import { pageAttempts } from '../shared/time-limits.ts';
import { attributeNames } from './item.ts';
import { type ListedPage, parsePage } from './parse-page.ts';
import { rewritePage } from './rewrite-page.ts';

/**
 * Items per page. A table that fits into one page is read with one request, without segments. Full
 * pages (1 MB, about 25,000 items) would raise the peak memory by half.
 */
const Limit = 5_000;

/** What every Scan says. Attributes that operators have added would make pages slower to read. */
const scan: ScanCommandInput = {
  TableName: variable('INVENTORY_TABLE_NAME'),
  ConsistentRead: true,
  Limit,
  ProjectionExpression: attributeNames.map((name) => `#${name}`).join(', '),
  // DynamoDB reserves words, such as `status`.
  ExpressionAttributeNames: Object.fromEntries(attributeNames.map((name) => [`#${name}`, name])),
};

/**
 * The number of parallel segments. Measured with 30 ms per page, 1 segment reads 80 to 115 thousand
 * items a second, 4 read 200 to 470 thousand. Lambda streams 2 MB/s, or 140 thousand when
 * compressed, so more would only cost memory.
 */
const TotalSegments = 4;

/**
 * Whether the list before this one had more than one page of items. Then a list begins with the
 * segments. Otherwise, if its first page turns out not to be the last, that is read twice.
 */
let hasManyPages = false;

/**
 * The client for the pages after the first. It makes more attempts, because a list that is cut off
 * is lost as a whole. It is created when a list first needs it; the list of a small table never
 * does.
 */
let persistentClient: DynamodbClient | undefined;

/** A part of the table that is read page by page. */
interface Segment {
  /** What a Scan of this segment says; nothing if it is of the whole table. */
  input: Pick<ScanCommandInput, 'Segment' | 'TotalSegments'>;
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
  if (!hasManyPages) {
    const whole = { input: {}, buffer: new ResponseBuffer() };
    const page = listedPage(await readPage(whole, { ...options, reader: client }));
    if (!page.LastEvaluatedKey) {
      yield page;
      return;
    }
  }
  let entries = 0;
  for await (const page of scanSegments(options)) {
    entries += page.entries;
    yield page;
  }
  hasManyPages = entries > Limit;
}

async function* scanSegments(options: SendOptions): AsyncGenerator<ListedPage> {
  persistentClient ??= dynamodbClient(pageAttempts);
  const reader = persistentClient;
  const reads = new Map<Segment, Promise<ReadPage>>();
  const readAhead = (segment: Segment, startKey?: Key) => {
    const read = readPage(segment, { ...options, reader, startKey });
    // The loop below awaits it later. Until then, a failure must not count as an unhandled
    // rejection.
    read.catch(() => {});
    reads.set(segment, read);
  };

  // The first segment is read alone, and with few attempts: an outage is then a quick 503, after
  // three calls and not twelve.
  let read = await readPage(segmentOf(0), { ...options, reader: client });
  for (let number = 1; number < TotalSegments; number++) {
    readAhead(segmentOf(number));
  }
  while (true) {
    const page = listedPage(read);
    if (page.LastEvaluatedKey) {
      readAhead(read.segment, page.LastEvaluatedKey);
    }
    yield page;
    if (reads.size === 0) {
      return;
    }
    read = await Promise.race(reads.values());
    reads.delete(read.segment);
  }
}

const segmentOf = (Segment: number): Segment => ({
  input: { Segment, TotalSegments },
  buffer: new ResponseBuffer(),
});

type Key = ScanCommandInput['ExclusiveStartKey'];

interface PageOptions extends SendOptions {
  reader: DynamodbClient;
  /** Where the page begins; undefined for the first one. */
  startKey?: Key;
}

const readPage = async (
  segment: Segment,
  { reader, startKey: ExclusiveStartKey, ...options }: PageOptions,
): Promise<ReadPage> => {
  const { input, buffer } = segment;
  // Parsing takes most of a list's CPU, so the page is left unparsed.
  const output: unknown = await reader.send(
    new ScanCommand({ ...scan, ...input, ExclusiveStartKey }),
    { ...options, buffer },
  );
  return { segment, bytes: (output as UnparsedOutput).bytes };
};

const listedPage = ({ bytes }: ReadPage): ListedPage => {
  const page = bytes.toString();
  return rewritePage(page) ?? parsePage(page);
};
