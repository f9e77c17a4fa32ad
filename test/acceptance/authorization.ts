import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { json, unauthorized } from '../support/http/http-client.ts';
import type { HttpResponse, Message } from '../support/http/raw-request.ts';
import { rejectedQuantity } from './changing.ts';
import { repeated } from './repeated.ts';
import type { Checked } from './service.ts';

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
    const list = (headers: Headers): Promise<HttpResponse> =>
      service.sendBare({ path: '/inventory', headers });
    const update = (petId: bigint, headers: Headers): Promise<HttpResponse> =>
      service.sendBare({
        method: 'PATCH',
        path: `/inventory/${petId}`,
        body: `{"quantity":${rejectedQuantity}}`,
        headers: { ...json, ...headers },
      });
    const expectRejected = async (value: string | undefined): Promise<void> => {
      const headers = value === undefined ? {} : { Authorization: value };
      const responses = [await list(headers), await update(service.rejecting, headers)];
      expect(responses).toMatchObject([unauthorized, unauthorized]);
    };

    test.each(withoutKey)(
      'reject a request with 401 if its Authorization header is %j',
      repeated(expectRejected),
    );

    const { apiKey, stageName } = service;
    const wrongKeys = {
      'a key that nobody has issued': createApiKey(stageName),
      'a key of another stage': createApiKey(`${stageName}-other`),
      'a key with a typo': apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      'a key in upper case': apiKey.toUpperCase(),
      'a key and something after it': `${apiKey} x`,
    };
    for (const [what, key] of Object.entries(wrongKeys)) {
      test(
        `reject ${what}`,
        repeated(() => expectRejected(`Bearer ${key}`)),
      );
    }

    test.each(spellings)(
      'accept a valid key in the header $name after "$scheme"',
      repeated(async ({ name, scheme }: (typeof spellings)[number]) => {
        const headers = { [name]: scheme + apiKey };
        const { status } = await update(service.absent, headers);
        expect(status).toBe(service.keyMayWrite ? 404 : 403);
        // A read-only run requests no list but one, because prod's may be large.
        if (!service.readOnly) {
          expect((await list(headers)).status).toBe(200);
        }
      }),
    );
  });
