import type {
  DeleteItemCommand,
  ServiceInputTypes,
  ServiceOutputTypes,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { MiddlewareStack } from '@smithy/types';
import { isUnsettled } from '../../functions/dynamodb/failures.ts';

/** The error for a write that DynamoDB may have applied, although nothing says so. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
}

/**
 * Lets the SDK repeat a write only if DynamoDB has refused it. After a lost response, a repetition
 * that meets the old value again would undo what somebody else has done since.
 * @throws UnknownOutcomeError where the SDK would repeat it otherwise
 */
export const once = <Write extends UpdateItemCommand | DeleteItemCommand>(write: Write): Write => {
  const stack = write.middlewareStack as MiddlewareStack<ServiceInputTypes, ServiceOutputTypes>;
  stack.add(
    (next) => (args) =>
      next(args).catch((error: Error & { code?: string }) => {
        // Without its cause, for which the SDK would repeat it.
        throw isUnsettled(error) ? new UnknownOutcomeError(error.code ?? error.name) : error;
      }),
    // Within the retries.
    { step: 'deserialize', priority: 'high' },
  );
  return write;
};
