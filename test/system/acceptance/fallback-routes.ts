import { expect, test } from '@jest/globals';
import { errorResponse, type Service, send } from '../../support/http/http-client.ts';

/** Headers without a valid API key. */
const keyless = [{}, { Authorization: 'Bearer x' }];

const requests: [
  method: string,
  path: string,
  status: 404 | 405,
  allowed?: string,
  contentType?: string,
][] = [
  ['GET', '', 404],
  ['GET', '/', 404],
  ['GET', '/v1', 404],
  ['POST', '/v1/', 404],
  ['GET', '/v1/pets/1', 404],
  ['DELETE', '/v1/inventory/1/history', 404],
  ['GET', '/v2/inventory', 404],
  ['GET', '/v1/Inventory', 404],
  ['POST', '/v1/inventory', 405, 'GET'],
  ['DELETE', '/v1/inventory/', 405, 'GET'],
  ['OPTIONS', '/v1/inventory', 405, 'GET'],
  ['GET', '/v1/inventory/1', 405, 'PATCH'],
  ['PUT', '/v1/inventory/abc', 405, 'PATCH'],
  ['HEAD', '/v1/inventory', 405, 'GET'],
  // The content type makes no difference.
  ['POST', '/v1/inventory', 405, 'GET', 'text/plain; charset=utf-8'],
  ['POST', '/v1/inventory', 405, 'GET', 'application/x-www-form-urlencoded'],
];

/** The number of requests without a well-formed API key that these checks send. */
export const fallbackRequestsWithoutKey = keyless.length * requests.length;

/**
 * Defines the checks that requests for which there is no operation get the same error with and
 * without a key.
 */
export const fallbackRoutes = (service: Service): void =>
  test.each(requests)(
    '%s %j gets %i',
    async (method, path, status, allowed = '', contentType = 'application/json') => {
      const error =
        status === 404
          ? errorResponse(404, 'path_not_found', 'No operation has this path and method.')
          : errorResponse(405, 'method_not_allowed', `${allowed} is the only method of this path.`);
      const body = ['GET', 'HEAD'].includes(method) ? undefined : 'a=b';
      const root = service.baseUrl.replace(/\/v1$/, '');
      const responses = await Promise.all(
        [{ Authorization: `Bearer ${service.apiKey}` }, ...keyless].map((key) =>
          send(root, { method, path, headers: { ...key, 'Content-Type': contentType }, body }),
        ),
      );
      for (const response of responses) {
        // A response to HEAD has no body.
        expect(response).toMatchObject(method === 'HEAD' ? { ...error, body: '' } : error);
        expect(response.headers.allow ?? '').toBe(allowed);
      }
    },
  );
