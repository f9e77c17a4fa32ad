import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { json, type Message, unauthorized } from '../../support/http/http-client.ts';
import { fallbackRequestsWithoutKey } from './fallback-routes.ts';
import type { Checked } from './inventory.ts';
import { repeated } from './repeated.ts';

const withoutKey = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic x',
  'Bearer nonsense',
  'petstore_staging_',
];
type Headers = NonNullable<Message['headers']>;

const operations = 2;

/**
 * The number of requests without a well-formed API key that a run of the suite sends, whether
 * read-only or not.
 */
export const requestsWithoutKey = operations * withoutKey.length + fallbackRequestsWithoutKey;

/** Defines the checks of the Authorization headers that the operations accept and reject. */
export const apiKey = (service: Checked): void =>
  describe('both operations', () => {
    const headersWith = (name: string, value: string | undefined) => ({
      ...json,
      ...(value !== undefined && { [name]: value }),
    });
    const list = (headers: Headers) => service.sendBare({ path: '/inventory', headers });
    const update = (petId: bigint, headers: Headers) =>
      service.sendBare({
        method: 'PATCH',
        path: `/inventory/${petId}`,
        body: '{"quantity":999}',
        headers,
      });

    const expectRejected = async (value: string | undefined) => {
      const headers = headersWith('Authorization', value);
      expect(await list(headers)).toMatchObject(unauthorized);
      expect(await update(service.rejecting, headers)).toMatchObject(unauthorized);
    };

    test.each(withoutKey)(
      'reject a request with 401 if its Authorization header is %j',
      repeated(expectRejected),
    );

    test(
      'reject an unknown key',
      repeated(() => expectRejected(`Bearer ${createApiKey(service.apiKey.split('_')[1] ?? '')}`)),
    );

    test(
      'reject a key with a typo',
      repeated(() =>
        expectRejected(
          `Bearer ${service.apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))}`,
        ),
      ),
    );

    const spellings = [
      { name: 'Authorization', scheme: 'Bearer ' },
      { name: 'authorization', scheme: 'bearer ' },
      { name: 'AUTHORIZATION', scheme: 'BEARER   ' },
    ];
    test.each(spellings)(
      'accept a valid key in the header $name after "$scheme"',
      repeated(async ({ name, scheme }: (typeof spellings)[number]) => {
        const headers = headersWith(name, scheme + service.apiKey);
        expect((await update(service.absent, headers)).status).toBe(404);
        // A read-only run requests no list but one, because prod's may be large.
        if (!service.readOnly) {
          expect((await list(headers)).status).toBe(200);
        }
      }),
    );
  });
