/** The status, code and message of an Error response. */
export type Rejection = [status: number, code: string, message: string];

const tryAgain =
  'Try again. If this is an update with an ETag and no Idempotency-Key, look at the entry first.';

export const errors = {
  notFound: [404, 'pet_not_found', 'No inventory entry has this petId.'],
  internal: [500, 'internal_error', `Something went wrong on our side. ${tryAgain}`],
  unavailable: [
    503,
    'service_unavailable',
    `The inventory is temporarily unavailable. ${tryAgain}`,
  ],
  timeout: [504, 'gateway_timeout', `The request took too long. ${tryAgain}`],
} satisfies Record<string, Rejection>;
