import { describe, expect, test } from '@jest/globals';
import { contract, errorResponse, send } from '../../support/http-client.ts';
import type { Service } from './service.ts';

const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');
const only = (method: string) => errorResponse(405, 'method_not_allowed', `${method} is the only method of this path.`);

/** What nobody who has an API key sends. */
const keyless = [{}, { Authorization: 'Bearer x' }];

/** The responses to a request with the key, without one and with a malformed one. */
export const responsesTo = (service: Service, method: string, path: string, contentType = 'application/json') => {
  const root = service.baseUrl.replace(/\/v1$/, '');
  const body = method === 'GET' ? undefined : 'a=b';
  return Promise.all(
    [{ Authorization: `Bearer ${service.apiKey}` }, ...keyless].map((headers) =>
      send(root, { method, path, headers: { ...headers, 'Content-Type': contentType }, body }),
    ),
  );
};

const unknownPaths = [
  ['GET', ''],
  ['GET', '/'],
  ['GET', '/v1'],
  ['POST', '/v1/'],
  ['GET', '/v1/pets/1'],
  ['DELETE', '/v1/inventory/1/history'],
  ['GET', '/v2/inventory'],
  ['GET', '/v1/Inventory'],
] as const;

const wrongMethods = [
  ['POST', '/v1/inventory', 'GET'],
  ['DELETE', '/v1/inventory/', 'GET'],
  ['OPTIONS', '/v1/inventory', 'GET'],
  ['GET', '/v1/inventory/1', 'PATCH'],
  ['PUT', '/v1/inventory/abc', 'PATCH'],
  ['HEAD', '/v1/inventory', 'GET'],
] as const;

const contentTypes = ['text/plain; charset=utf-8', 'application/x-www-form-urlencoded'];

/** How many requests these cases send whose Authorization header holds no well-formed key. */
export const fallbackRequestsWithoutKey =
  keyless.length * (unknownPaths.length + wrongMethods.length + contentTypes.length);

/** What no operation serves: nobody needs a key to learn that. */
export const fallbackRoutes = (service: Service): void =>
  describe('what no operation serves', () => {
    test.each(unknownPaths)('%s %s: 404', async (method, path) => {
      for (const response of await responsesTo(service, method, path)) {
        expect(contract(response)).toEqual(pathNotFound);
      }
    });

    test.each(wrongMethods)('%s %s: 405, and only %s is allowed', async (method, path, allowed) => {
      for (const response of await responsesTo(service, method, path)) {
        const { status, contentType, body } = only(allowed);
        // A response to HEAD has no body.
        expect(contract(response)).toEqual({ status, contentType, body: method === 'HEAD' ? '' : body });
        expect(response.headers.allow).toBe(allowed);
      }
    });

    test.each(contentTypes)('a body of %s changes nothing about that', async (contentType) => {
      for (const response of await responsesTo(service, 'POST', '/v1/inventory', contentType)) {
        expect(contract(response)).toEqual(only('GET'));
      }
    });
  });
