import type { ServerResponse } from 'node:http';
import type { StreamifyHandler } from 'aws-lambda';

/** The media type of a result that begins with its metadata. */
const httpIntegrationResponse = 'application/vnd.awslambda.http-integration-response';

/** Stands between the metadata and the payload. */
export const metadataEnd = Buffer.alloc(8);

const streamifiedHandlers = new WeakSet<object>();

/** Whether a handler writes its result to a stream. */
export const isStreamified = (handler: object): boolean => streamifiedHandlers.has(handler);

/** The global `awslambda` of Lambda's Node runtime. Its response stream is the answer to the invocation. */
export const awslambda = {
  streamifyResponse: (handler: StreamifyHandler): StreamifyHandler => {
    streamifiedHandlers.add(handler);
    return handler;
  },
  HttpResponseStream: {
    from: (stream: ServerResponse, metadata: Record<string, unknown>): ServerResponse => {
      stream.setHeader('Content-Type', httpIntegrationResponse);
      stream.write(JSON.stringify(metadata));
      stream.write(metadataEnd);
      return stream;
    },
  },
};
