import { describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { contract, unauthorized } from '../../support/http-client.ts';
import type { Checked } from './inventory.ts';

const withoutKey = [undefined, '', 'Bearer', 'Bearer ', 'Basic x', 'Bearer nonsense', 'petstore_staging_'];
const operations = 2;

/** How many requests these cases send whose Authorization header holds no well-formed key. */
export const rejectedRequestsWithoutKey = operations * withoutKey.length;

/** What opens the operations, and what does not. */
export const apiKey = (service: Checked): void =>
  describe('the API key', () => {
    /** The responses of both operations to a request with this header. */
    const responsesTo = async (petId: bigint, authorization: string | undefined) => {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const update = { 'Content-Type': 'application/json', ...headers };
      const path = `/inventory/${petId}`;
      return [
        await service.sendBare({ path: '/inventory', headers }),
        await service.sendBare({ method: 'PATCH', path, headers: update, body: '{"quantity":999}' }),
      ];
    };

    const expectRejected = async (authorization: string | undefined) => {
      for (const response of await responsesTo(service.rejecting, authorization)) {
        expect(contract(response)).toEqual(unauthorized);
        expect(response.headers['www-authenticate']).toBe('Bearer');
      }
    };

    test.each(withoutKey)('is missing from the header %j: 401', expectRejected);

    test('never issued: 401', () => expectRejected(`Bearer ${createApiKey(service.apiKey.split('_')[1] ?? '')}`));

    test('mistyped: 401', () =>
      expectRejected(`Bearer ${service.apiKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))}`));

    test.each(['Bearer ', 'bearer ', 'BEARER   '])('opens both operations behind %j', async (scheme) => {
      const responses = await responsesTo(service.absent, scheme + service.apiKey);
      expect(responses.map(({ status }) => status)).toEqual([200, 404]);
    });
  });
