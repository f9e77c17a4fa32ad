import { beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { contract, errorResponse } from '../../support/http-client.ts';
import { expectUntouched, type Found, findInventory } from './inventory.ts';
import type { Service } from './service.ts';

const unauthorized = errorResponse(
  401,
  'unauthorized',
  'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
);

const withoutKey = [undefined, '', 'Bearer', 'Bearer ', 'Basic x', 'Bearer nonsense', 'petstore_staging_'];
const operations = 2;

/** How many requests these cases send whose Authorization header holds no well-formed key. */
export const rejectedRequestsWithoutKey = operations * withoutKey.length;

/** What opens the operations, and what does not. */
export const apiKey = (service: Service): void =>
  describe('the API key', () => {
    let found: Found;
    beforeAll(async () => {
      found = await findInventory(service);
    });

    const listWith = (headers: Record<string, string>) => service.sendBare({ path: '/inventory', headers });
    const patchWith = (petId: bigint, headers: Record<string, string>) =>
      service.sendBare({
        method: 'PATCH',
        path: `/inventory/${petId}`,
        headers: { 'Content-Type': 'application/json', ...headers },
        body: '{"quantity":999}',
      });

    const expectRejected = async (authorization: string | undefined) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
      for (const response of [await listWith(headers), await patchWith(found.rejecting, headers)]) {
        expect(contract(response)).toEqual(unauthorized);
        expect(response.headers['www-authenticate']).toBe('Bearer');
      }
    };

    test.each(withoutKey)('is missing from the header %j: 401', (authorization) => expectRejected(authorization));

    test('never issued: 401', () => expectRejected(`Bearer ${createApiKey(service.apiKey.split('_')[1] ?? '')}`));

    test('mistyped: 401', () =>
      expectRejected(`Bearer ${service.apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))}`));

    test.each(['Bearer ', 'bearer ', 'BEARER   '])('opens both operations behind %j', async (scheme) => {
      const headers = { Authorization: scheme + service.apiKey };

      expect((await listWith(headers)).status).toBe(200);
      expect((await patchWith(found.absent, headers)).status).toBe(404);
    });

    test('has let nobody change or create anything without it', () => expectUntouched(service, found));
  });
