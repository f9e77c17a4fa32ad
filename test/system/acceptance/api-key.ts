import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { json, unauthorized } from '../../support/http/http-client.ts';
import { fallbackRequestsWithoutKey } from './fallback-routes.ts';
import type { Checked } from './inventory.ts';

const withoutKey = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic x',
  'Bearer nonsense',
  'petstore_staging_',
];
const operations = 2;

/**
 * The number of requests without a well-formed API key that a run of the suite sends, whether
 * read-only or not.
 */
export const requestsWithoutKey = operations * withoutKey.length + fallbackRequestsWithoutKey;

/** Defines the checks of the Authorization headers that the operations accept and reject. */
export const apiKey = (service: Checked): void =>
  describe('both operations', () => {
    /** Returns the responses of both operations to requests with this header. */
    const responsesTo = async (
      petId: bigint,
      value: string | undefined,
      name = 'Authorization',
    ) => {
      const headers = { ...json, ...(value !== undefined && { [name]: value }) };
      const update = { method: 'PATCH', path: `/inventory/${petId}`, body: '{"quantity":999}' };
      return [
        await service.sendBare({ path: '/inventory', headers }),
        await service.sendBare({ ...update, headers }),
      ];
    };

    const expectRejected = async (value: string | undefined) =>
      expect(await responsesTo(service.rejecting, value)).toMatchObject([
        unauthorized,
        unauthorized,
      ]);

    test.each(withoutKey)(
      'reject a request with 401 if its Authorization header is %j',
      expectRejected,
    );

    test('reject an unknown key', () =>
      expectRejected(`Bearer ${createApiKey(service.apiKey.split('_')[1] ?? '')}`));

    test('reject a key with a typo', () =>
      expectRejected(
        `Bearer ${service.apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))}`,
      ));

    test.each([
      ['Authorization', 'Bearer '],
      ['authorization', 'bearer '],
      ['AUTHORIZATION', 'BEARER   '],
    ])('accept a valid key in the header %s after %j', async (name, scheme) => {
      const responses = await responsesTo(service.absent, scheme + service.apiKey, name);
      expect(responses.map(({ status }) => status)).toEqual([200, 404]);
    });
  });
