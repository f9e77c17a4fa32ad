import { randomBytes } from 'node:crypto';
import { createApiKey } from '../../functions/keys/api-key.ts';

export interface ServiceCheck {
  /** What is asked, without the key, such as `GET /inventory`. */
  asked: string;
  method: 'GET' | 'PATCH';
  /** Relative to the base URL. */
  path: string;
  body?: string;
  /** Returns the key to send. */
  apiKey: () => string;
  /** What a right answer is, such as `404 pet_not_found`. */
  expected: string;
  /** Whether an answer is right, by its status and the beginning of its body. */
  isRight: (status: number, beginning: string) => boolean;
}

interface WatchedService {
  stageName: string;
  /** A key that the stage accepts. */
  apiKey: string;
}

/**
 * Returns requests that show whether each function of a stage works. On a service that keeps the
 * contract, they change nothing.
 */
export const serviceChecks = ({ stageName, apiKey }: WatchedService): ServiceCheck[] => {
  const update = updateOf(absentPetId());
  return [
    {
      asked: 'GET /inventory',
      method: 'GET',
      path: '/inventory',
      apiKey: () => apiKey,
      expected: '200 and a body that begins with [',
      isRight: (status, beginning) => status === 200 && beginning.startsWith('['),
    },
    { ...update('{"quantity":0}'), apiKey: () => apiKey, ...error(404, 'pet_not_found') },
    { ...update('{"quantity":-1}'), apiKey: () => apiKey, ...error(400, 'invalid_quantity') },
    {
      ...update('{"quantity":0}', ' with an unknown key'),
      // A new one each time, because API Gateway keeps the authorizer's result for each key.
      apiKey: () => createApiKey(stageName),
      ...error(401, 'unauthorized'),
    },
  ];
};

/**
 * Returns a petId that no table holds. It is one of the 2^63 negative petIds, at random: a table of
 * ten million entries holds it with a probability of 1 in 10^12. If it did, the update before the
 * deployment would answer 200, set the quantity of that entry to 0 and end the release.
 */
const absentPetId = (): bigint => -1n - BigInt.asUintN(63, randomBytes(8).readBigUInt64BE());

const updateOf =
  (petId: bigint) =>
  (body: string, how = '') => ({
    asked: `PATCH /inventory/${petId} ${body}${how}`,
    method: 'PATCH' as const,
    path: `/inventory/${petId}`,
    body,
  });

/** Expects the Error response with this status and code. */
const error = (expectedStatus: number, code: string) => ({
  expected: `${expectedStatus} ${code}`,
  isRight: (status: number, beginning: string) =>
    status === expectedStatus && beginning.includes(`"code":"${code}"`),
});
