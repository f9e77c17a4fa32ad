import { once } from 'node:events';
import { finished, Readable } from 'node:stream';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { httpHandler } from './http/http-handler.ts';
import { type StreamedAnswer, streamedAnswer } from './http/streamed-answer.ts';
import { listInventory } from './inventory/inventory-list.ts';
import { withDetails } from './observability/request-log.ts';
import { answerWithin, listTimeLimit } from './time-limits.ts';

const streaming = {
  executionMode: executionModeStreamifyResponse,
  // Until the first page is here, a list has no more time than another request.
  timeoutEarlyInMillis: listTimeLimit - answerWithin,
};

/** GET /inventory */
export const handler = httpHandler<StreamedAnswer>('listInventory', streaming).handler(
  async (event, context, { signal }) => {
    const reading = new AbortController();
    signal.addEventListener('abort', () => reading.abort());
    const counts = { Lists: 1, EntriesListed: 0 };
    const text = async function* () {
      for await (const part of listInventory(reading.signal)) {
        yield part.text;
        counts.EntriesListed += part.entries;
      }
    };
    const body = Readable.from(text());
    // Whatever ends the body, a client that has left for one, ends the requests under way.
    finished(body, () => reading.abort());

    // Until the first page is here, a failure is still an Error answer.
    await once(body, 'readable');
    return withDetails(streamedAnswer(event, context, body), { counts });
  },
);
