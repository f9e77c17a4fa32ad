import type { ServerResponse } from 'node:http';
import type { AccessRecord } from '../../log/access-log.ts';

/** Ends a response with its whole body. The `code` of an error goes to the record. */
export const endResponse = (response: ServerResponse, record: AccessRecord, body: string): void => {
  if (response.statusCode >= 400) {
    record.errorCode = errorCodeOf(body);
  }
  response.end(body);
};

const errorCodeOf = (body: string): string | undefined => {
  try {
    const { code } = JSON.parse(body);
    return typeof code === 'string' ? code : undefined;
  } catch {
    // Some of API Gateway's own responses are no Error objects.
    return undefined;
  }
};
