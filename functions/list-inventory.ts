import { once } from 'node:events';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { httpHandler } from './http/http-handler.ts';
import { type StreamedResponse, streamedResponse } from './http/streamed-response.ts';
import { textStream } from './http/text-stream.ts';
import { listInventory } from './inventory/inventory-list.ts';
import { attachLogFields } from './observability/request-log.ts';
import { firstByteTimeout, listTimeout } from './shared/time-limits.ts';

const streaming = {
  executionMode: executionModeStreamifyResponse,
  // Until the first page is here, a list has no more time than another request.
  timeoutEarlyInMillis: listTimeout - firstByteTimeout,
};

/** GET /inventory */
export const handler = httpHandler<StreamedResponse>('listInventory', streaming).handler(
  async (event, context, { signal: deadlineSignal }) => {
    const counts = { Lists: 1, EntriesListed: 0 };
    const body = textStream(async function* (cancelled) {
      for await (const { text, entries } of listInventory(AbortSignal.any([cancelled, deadlineSignal]))) {
        yield text;
        counts.EntriesListed += entries;
      }
    });
    // Until the first page is here, a failure is still an Error answer.
    await once(body, 'readable');
    return attachLogFields(streamedResponse(event, context, body), { counts });
  },
);
