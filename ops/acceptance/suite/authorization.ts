import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { json, unauthorized } from './http-client.ts';
import type { Checked } from './inventory.ts';
import type { Message } from './raw-request.ts';
import { repeated } from './repeated.ts';

type Headers = NonNullable<Message['headers']>;

/** Headers without a well-formed API key. */
const withoutKey = [
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic x',
  'Bearer nonsense',
  'petstore_staging_',
];

const spellings = [
  { name: 'Authorization', scheme: 'Bearer ' },
  { name: 'authorization', scheme: 'bearer ' },
  { name: 'AUTHORIZATION', scheme: 'BEARER   ' },
];

/** Defines the checks of the Authorization headers that the operations accept and reject. */
export const authorization = (service: Checked): void =>
  describe('both operations', () => {
    const list = (headers: Headers) => service.sendBare({ path: '/inventory', headers });
    const update = (petId: bigint, headers: Headers) =>
      service.sendBare({
        method: 'PATCH',
        path: `/inventory/${petId}`,
        body: '{"quantity":999}',
        headers: { ...json, ...headers },
      });
    const expectRejected = async (value: string | undefined) => {
      const headers = value === undefined ? {} : { Authorization: value };
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

    test.each(spellings)(
      'accept a valid key in the header $name after "$scheme"',
      repeated(async ({ name, scheme }: (typeof spellings)[number]) => {
        const headers = { [name]: scheme + service.apiKey };
        const { status } = await update(service.absent, headers);
        expect(status).toBe(service.keyMayWrite ? 404 : 403);
        // A read-only run requests no list but one, because prod's may be large.
        if (!service.readOnly) {
          expect((await list(headers)).status).toBe(200);
        }
      }),
    );
  });
