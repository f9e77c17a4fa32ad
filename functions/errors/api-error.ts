/** Every `code` of an Error response, with its HTTP status. */
export const statusOfCode = {
  invalid_pet_id: 400,
  invalid_body: 400,
  invalid_quantity: 400,
  invalid_if_match: 400,
  invalid_idempotency_key: 400,
  unsupported_content_type: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  read_only_key: 403,
  pet_not_found: 404,
  path_not_found: 404,
  method_not_allowed: 405,
  precondition_failed: 412,
  request_too_large: 413,
  already_applied: 422,
  already_refused: 422,
  too_many_requests: 429,
  internal_error: 500,
  bad_gateway: 502,
  service_unavailable: 503,
  gateway_timeout: 504,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

/**
 * The `Retry-After` of every 503, and of a 429 from API Gateway's throttling: the seconds to wait
 * before a retry.
 */
export const retryAfter = '1';

/** What to do after every 5xx: an update may or may not have been applied. */
const tryAgain =
  'Try again. If this is an update with an ETag and no Idempotency-Key, look at the entry first.';

/** The message of an error that clients can do nothing about: of ours, and of API Gateway's. */
export const ourFault = `Something went wrong on our side. ${tryAgain}`;

/** The message of every 503. */
export const unavailable = `The inventory is temporarily unavailable. ${tryAgain}`;

/** The message of every 504: of ours, and of API Gateway's. */
export const tooLate = `The request took too long. ${tryAgain}`;

/** The body of every 4xx and 5xx response. */
export const errorBody = (code: ErrorCode, message: string) => ({
  code,
  message,
  status: statusOfCode[code],
});

/** Headers of an Error response, but for those that are undefined. */
type ErrorHeaders = Record<string, string | undefined>;

/**
 * An error that any code may throw to end a request with an Error response. The message is written
 * for the client.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: ErrorHeaders;

  constructor(
    code: ErrorCode,
    message: string,
    { headers = {}, ...options }: ErrorOptions & { headers?: ErrorHeaders } = {},
  ) {
    super(message, options);
    this.code = code;
    this.headers = headers;
  }
}
