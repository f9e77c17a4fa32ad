import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** DynamoDB gave no answer, or half of one, or nothing that it could have meant. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Tells the SDK that it may try again. */
  readonly $retryable = { throttling: false };
}

const throttling = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded']);

/** Whether an error says that DynamoDB cannot serve a request for the time being. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof NoAnswerError ||
  (error instanceof DynamoDBServiceException &&
    (throttling.has(error.name) || (error.$metadata.httpStatusCode ?? 0) >= 500));
