import type { MiddlewareStack } from '@smithy/types';

/** What is known of the attempts that an invocation makes to reach DynamoDB. */
export interface Attempts {
  /** Why the last one failed that did. It explains why an invocation may run out of time. */
  lastError?: unknown;
}

/** How a request to DynamoDB belongs to an invocation. */
export interface RequestOptions {
  /** Gives the request up when it aborts. */
  signal: AbortSignal;
  attempts: Attempts;
}

/** Makes a command tell its invocation why an attempt has failed. */
export const reportAttempts = <Input extends object, Output extends object>(
  command: { middlewareStack: MiddlewareStack<Input, Output> },
  { attempts }: RequestOptions,
): void =>
  command.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        attempts.lastError = error;
        throw error;
      }
    },
    // In this step, the SDK makes its attempts; a low priority is within each of them.
    { step: 'finalizeRequest', priority: 'low', name: 'reportAttempts', override: true },
  );
