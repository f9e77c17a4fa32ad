import { describe, expect, test } from '@jest/globals';
import { contract, errorResponse, send } from '../../support/http-client.ts';
import type { Service } from './service.ts';

const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');
const only = (method: string) => errorResponse(405, 'method_not_allowed', `${method} is the only method of this path.`);

/** The answers to a request without a key, with the key and with nonsense for one. */
export const answersOf = (service: Service, method: string, path: string, contentType = 'application/json') => {
  const root = service.baseUrl.replace(/\/v1$/, '');
  const body = method === 'GET' ? undefined : 'a=b';
  return Promise.all(
    [{}, { Authorization: `Bearer ${service.apiKey}` }, { Authorization: 'Bearer x' }].map((headers) =>
      send(root, { method, path, headers: { ...headers, 'Content-Type': contentType }, body }),
    ),
  );
};

/** What no operation serves: nobody needs a key to learn that. */
export const unservedRoutes = (service: Service): void =>
  describe('what no operation serves', () => {
    test.each([
      ['GET', ''],
      ['GET', '/'],
      ['GET', '/v1'],
      ['POST', '/v1/'],
      ['GET', '/v1/pets/1'],
      ['DELETE', '/v1/inventory/1/history'],
      ['GET', '/v2/inventory'],
      ['GET', '/v1/Inventory'],
    ])('%s %s answers 404', async (method, path) => {
      for (const answer of await answersOf(service, method, path)) {
        expect(contract(answer)).toEqual(pathNotFound);
      }
    });

    test.each([
      ['POST', '/v1/inventory', 'GET'],
      ['DELETE', '/v1/inventory/', 'GET'],
      ['OPTIONS', '/v1/inventory', 'GET'],
      ['GET', '/v1/inventory/1', 'PATCH'],
      ['PUT', '/v1/inventory/abc', 'PATCH'],
    ])('%s %s answers 405 and allows %s', async (method, path, allowed) => {
      for (const answer of await answersOf(service, method, path)) {
        expect(contract(answer)).toEqual(only(allowed));
        expect(answer.headers.allow).toBe(allowed);
      }
    });

    test.each(['text/plain; charset=utf-8', 'application/x-www-form-urlencoded'])(
      'a body of %s changes nothing about that',
      async (contentType) => {
        for (const answer of await answersOf(service, 'POST', '/v1/inventory', contentType)) {
          expect(contract(answer)).toEqual(only('GET'));
        }
      },
    );

    test('HEAD is no GET', async () => {
      const [answer] = await answersOf(service, 'HEAD', '/v1/inventory');
      expect(answer).toMatchObject({ status: 405, text: '' });
    });
  });
