import { once } from 'node:events';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { httpHandler } from './http/http-handler.ts';
import { type StreamedAnswer, streamedAnswer } from './http/streamed-answer.ts';
import { textStream } from './http/text-stream.ts';
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
  async (event, context, { signal: outOfTime }) => {
    const counts = { Lists: 1, EntriesListed: 0 };
    const body = textStream(async function* (abandoned) {
      for await (const { text, entries } of listInventory(AbortSignal.any([abandoned, outOfTime]))) {
        yield text;
        counts.EntriesListed += entries;
      }
    });
    // Until the first page is here, a failure is still an Error answer.
    await once(body, 'readable');
    return withDetails(streamedAnswer(event, context, body), { counts });
  },
);
