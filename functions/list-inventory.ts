import { once } from 'node:events';
import { finished, Readable } from 'node:stream';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import { httpHandler } from './http/http-handler.ts';
import { type StreamedAnswer, streamedAnswer } from './http/streamed-answer.ts';
import { listInventory } from './inventory/inventory-list.ts';

/** GET /inventory */
export const handler = httpHandler<StreamedAnswer>({ executionMode: executionModeStreamifyResponse }).handler(
  async (event, context) => {
    const reading = new AbortController();
    let entriesSent = 0;
    const text = async function* () {
      for await (const part of listInventory(reading.signal)) {
        yield part.text;
        entriesSent += part.entries;
      }
    };
    const body = Readable.from(text());
    // Whatever ends the body, a client that has left for one, ends the requests under way.
    finished(body, () => reading.abort());

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
