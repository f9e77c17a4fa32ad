import type { RequestOptions } from '../dynamodb/attempts.ts';
import { PageBuffer } from './page-buffer.ts';
import { type ListedPage, parsePage } from './parse-page.ts';
import { rewritePage } from './rewrite-page.ts';
import { scanPage } from './scan-page.ts';

const TableName = process.env.INVENTORY_TABLE_NAME;

/**
 * Entries per page. A table that fits into one page is read with one request, without segments. For
 * a larger table, the first page is read twice. Full pages (1 MB, about 25,000 entries) would raise
 * the peak memory by half.
 */
const Limit = 5_000;

/**
 * The number of parallel segments. Measured with 30 ms per page, 1 segment reads 80 to 115 thousand
 * entries a second, 4 read 200 to 470 thousand. Lambda streams 2 MB/s, or 140 thousand when
 * compressed, so more would only cost memory.
 */
const TotalSegments = 4;

interface Segment {
  /** What a Scan of this segment says; nothing if it is of the whole table. */
  input: { Segment?: number; TotalSegments?: number };
  /** The page that was read last. */
  buffer: PageBuffer;
}

/**
 * Yields the pages of a scan of the whole table, in any order, each as of the time when it was
 * read. Each segment reads at most one page ahead of the consumer.
 */
export async function* scanInventory(options: RequestOptions): AsyncGenerator<ListedPage> {
  const read = async (
    segment: Segment,
    ExclusiveStartKey?: ListedPage['LastEvaluatedKey'],
  ): Promise<Segment> => {
    const input = { TableName, ConsistentRead: true, Limit, ...segment.input, ExclusiveStartKey };
    await scanPage(input, segment.buffer, options);
    return segment;
  };

  const whole = await read({ input: {}, buffer: new PageBuffer() });
  const first = listedPage(whole);
  if (!first.LastEvaluatedKey) {
    yield first;
    return;
  }

  const reads = new Map<Segment, Promise<Segment>>();
  const readAhead = (segment: Segment, key?: ListedPage['LastEvaluatedKey']) => {
    const next = read(segment, key);
    // The loop below awaits it later. Until then, a failure must not count as an unhandled
    // rejection.
    next.catch(() => {});
    reads.set(segment, next);
  };
  for (let number = 0; number < TotalSegments; number++) {
    readAhead({ input: { Segment: number, TotalSegments }, buffer: new PageBuffer() });
  }
  while (reads.size > 0) {
    const segment = await Promise.race(reads.values());
    reads.delete(segment);
    const page = listedPage(segment);
    if (page.LastEvaluatedKey) {
      readAhead(segment, page.LastEvaluatedKey);
    }
    yield page;
  }
}

const listedPage = ({ buffer }: Segment): ListedPage => {
  const page = buffer.text();
  return rewritePage(page) ?? parsePage(page);
};
