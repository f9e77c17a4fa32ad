import { once } from 'node:events';
import { httpHandler } from './http/http-handler.ts';
import {
  type StreamedResponse,
  streamed,
  streamedResponse,
  textStream,
} from './http/streamed-response.ts';
import { scanTable } from './inventory/scan-table.ts';
import { firstByteTimeout, listTimeout } from './shared/time-limits.ts';

// The first byte must come within firstByteTimeout, like that of any request, and the whole list
// within listTimeout.
const chain = httpHandler<StreamedResponse>('listInventory', listTimeout - firstByteTimeout);

/** GET /inventory */
export const handler = streamed(
  chain.handler(async (request, context, { signal }) => {
    const { record } = context;
    const counts = { EntriesListed: 0 };
    const body = textStream(async function* (cancelled) {
      const options = { abortSignal: AbortSignal.any([cancelled, signal]), record };
      let opening = '[';
      for await (const { text, entries } of scanTable(options)) {
        if (entries > 0) {
          yield opening + text;
          counts.EntriesListed += entries;
          opening = ',';
        }
      }
      yield opening === '[' ? '[]' : ']';
    }, context);
    // Wait for the first page, because until it has been read, a failure can still become an Error
    // response.
    await once(body, 'readable');
    record.counts = counts;
    return streamedResponse(request, body);
  }),
);
