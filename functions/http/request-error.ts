import type { ErrorCode } from './error-codes.ts';

/** What the HTTP edge refuses in a request. The message is written for the client. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
