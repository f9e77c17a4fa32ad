/** Every `code` of an Error answer, with its HTTP status. */
export const statusOfCode = {
  invalid_pet_id: 400,
  invalid_body: 400,
  invalid_quantity: 400,
  unsupported_content_type: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  pet_not_found: 404,
  path_not_found: 404,
  method_not_allowed: 405,
  request_too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  bad_gateway: 502,
  service_unavailable: 503,
  gateway_timeout: 504,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

/** The body of every 4xx and 5xx answer. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  status: number;
}

/** Seconds after which it is worth trying again: the `Retry-After` of every 503. */
export const retryAfter = '1';

export const errorBody = (code: ErrorCode, message: string): ErrorBody => ({
  code,
  message,
  status: statusOfCode[code],
});
