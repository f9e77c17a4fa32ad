import { once } from 'node:events';
import { attemptsOf, httpHandler } from './http/http-handler.ts';
import {
  type StreamedResponse,
  streamed,
  streamedResponse,
  textStream,
} from './http/streamed-response.ts';
import { listItems } from './inventory/list-items.ts';
import { attachLogFields } from './observability/request-log.ts';
import { firstByteTimeout, listTimeout } from './shared/time-limits.ts';

// Until its first page has been read, a list has no more time than any other request.
const chain = httpHandler<StreamedResponse>('listInventory', listTimeout - firstByteTimeout);

/** GET /inventory */
export const handler = streamed(
  chain.handler(async (event, context, { signal }) => {
    const counts = { Lists: 1, EntriesListed: 0 };
    const body = textStream(async function* (cancelled) {
      const options = {
        signal: AbortSignal.any([cancelled, signal]),
        attempts: attemptsOf(context),
      };
      for await (const { text, entries } of listItems(options)) {
        yield text;
        counts.EntriesListed += entries;
      }
    }, context);
    // Wait for the first page, because until it has been read, a failure can still become an Error
    // response.
    await once(body, 'readable');
    return attachLogFields(streamedResponse(event, body), { counts });
  }),
);
