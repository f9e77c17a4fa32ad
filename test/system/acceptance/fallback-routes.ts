import { describe, expect, test } from '@jest/globals';
import { contract, errorResponse, type Service, send } from '../../support/http-client.ts';

/** What nobody who has an API key sends. */
const keyless = [{}, { Authorization: 'Bearer x' }];

/** The responses to a request with the key, without one and with a malformed one. */
const responsesTo = (service: Service, method: string, path: string, contentType = 'application/json') => {
  const root = service.baseUrl.replace(/\/v1$/, '');
  const body = method === 'GET' ? undefined : 'a=b';
  return Promise.all(
    [{ Authorization: `Bearer ${service.apiKey}` }, ...keyless].map((headers) =>
      send(root, { method, path, headers: { ...headers, 'Content-Type': contentType }, body }),
    ),
  );
};

type Row = [method: string, path: string, allowed?: string, contentType?: string];

const unknownPaths: Row[] = [
  ['GET', ''],
  ['GET', '/'],
  ['GET', '/v1'],
  ['POST', '/v1/'],
  ['GET', '/v1/pets/1'],
  ['DELETE', '/v1/inventory/1/history'],
  ['GET', '/v2/inventory'],
  ['GET', '/v1/Inventory'],
];

const wrongMethods: Row[] = [
  ['POST', '/v1/inventory', 'GET'],
  ['DELETE', '/v1/inventory/', 'GET'],
  ['OPTIONS', '/v1/inventory', 'GET'],
  ['GET', '/v1/inventory/1', 'PATCH'],
  ['PUT', '/v1/inventory/abc', 'PATCH'],
  ['HEAD', '/v1/inventory', 'GET'],
  // What kind of body it has changes nothing about that.
  ['POST', '/v1/inventory', 'GET', 'text/plain; charset=utf-8'],
  ['POST', '/v1/inventory', 'GET', 'application/x-www-form-urlencoded'],
];

/** How many requests these cases send whose Authorization header holds no well-formed key. */
export const fallbackRequestsWithoutKey = keyless.length * (unknownPaths.length + wrongMethods.length);

/** What no operation serves: nobody needs a key to learn that. */
export const fallbackRoutes = (service: Service): void =>
  describe('what no operation serves', () => {
    test.each(unknownPaths)('%s %s: 404', async (method, path) => {
      const error = errorResponse(404, 'path_not_found', 'No operation has this path and method.');
      for (const response of await responsesTo(service, method, path)) {
        expect(contract(response)).toEqual(error);
      }
    });

    test.each(wrongMethods)(
      '%s %s: 405, and only %s is allowed',
      async (method, path, allowed, contentType = 'application/json') => {
        const error = errorResponse(405, 'method_not_allowed', `${allowed} is the only method of this path.`);
        for (const response of await responsesTo(service, method, path, contentType)) {
          // A response to HEAD has no body.
          expect(contract(response)).toEqual(method === 'HEAD' ? { ...error, body: '' } : error);
          expect(response.headers.allow).toBe(allowed);
        }
      },
    );
  });
