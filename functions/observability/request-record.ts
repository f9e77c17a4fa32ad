import type { Context } from 'aws-lambda';
import type { Counts } from './metrics.ts';

/** What is known of one request, for its log line. Whoever learns something writes it here. */
export interface RequestRecord {
  /** Returns the whole milliseconds since the request began. */
  elapsed: () => number;
  counts: Counts;
  /** The cause of a 5xx; every 5xx has one. */
  fault?: unknown;
  /** The error of the last attempt to reach DynamoDB that failed. */
  failedAttempt?: unknown;
  /** The error of the last failed attempt after which DynamoDB may still have run the command. */
  unsettledAttempt?: unknown;
  /** More fields of the log line. */
  fields: {
    /** The code of an Error response. */
    code?: string;
    /** The petId of an update, as text because JSON parsers would round it. */
    petId?: string;
    quantityFrom?: number | string | undefined;
    quantityTo?: number;
    /** The first 100 characters of an update's If-Match. */
    ifMatch?: string | undefined;
    /** Whether the item was as If-Match says, if that is known. */
    precondition?: 'met' | 'failed' | undefined;
  };
}

/** The context of a request: Lambda's, with our record. */
export type RecordedContext = Context & { record: RequestRecord };
