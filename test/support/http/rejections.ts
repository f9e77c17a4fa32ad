/** The status, code and message of an Error response. */
export type Rejection = [status: number, code: string, message: string];

const rejection = (code: string, message: string, status = 400): Rejection => [
  status,
  code,
  message,
];

export const errors = {
  notFound: rejection('pet_not_found', 'No inventory entry has this petId.', 404),
  internal: rejection('internal_error', 'Something went wrong on our side. Try again later.', 500),
  unavailable: rejection(
    'service_unavailable',
    'The inventory is temporarily unavailable. Try again.',
    503,
  ),
  timeout: rejection(
    'gateway_timeout',
    'The request took too long. If it was an update, it may or may not have been applied.',
    504,
  ),
};
