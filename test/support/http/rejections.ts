/** The status, code and message of an Error response. */
export type Rejection = [status: number, code: string, message: string];

const rejection = (code: string, message: string, status = 400): Rejection => [
  status,
  code,
  message,
];

const tryAgain =
  'Try again. If this is an update with an ETag and no Idempotency-Key, look at the entry first.';

export const errors = {
  notFound: rejection('pet_not_found', 'No inventory entry has this petId.', 404),
  internal: rejection('internal_error', `Something went wrong on our side. ${tryAgain}`, 500),
  unavailable: rejection(
    'service_unavailable',
    `The inventory is temporarily unavailable. ${tryAgain}`,
    503,
  ),
  timeout: rejection('gateway_timeout', `The request took too long. ${tryAgain}`, 504),
};
