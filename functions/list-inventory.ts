import { once } from 'node:events';
import { finished } from 'node:stream';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { httpHandler } from './http/http-handler.ts';
import { type StreamedAnswer, streamedAnswer } from './http/streamed-answer.ts';
import { textStream } from './http/text-stream.ts';
import { listInventory } from './inventory/inventory-list.ts';

/** GET /inventory */
export const handler = httpHandler<StreamedAnswer>({ executionMode: executionModeStreamifyResponse }).handler(
  async (event, context) => {
    let entriesSent = 0;
    const body = textStream(async function* (signal) {
      for await (const { text, entries } of listInventory(signal)) {
        yield text;
        entriesSent += entries;
      }
    });
    // Until the first page is here, a failure is still an Error answer.
    await once(body, 'readable');
    finished(body, (error) => {
      if (error) {
        console.error('The list broke off.', { requestId: event.requestContext.requestId, entriesSent }, error);
      }
    });
    return streamedAnswer(event, context, body);
  },
);
