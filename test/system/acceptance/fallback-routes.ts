import { expect, test } from '@jest/globals';
import { errorResponse, type Service, send } from '../../support/http/http-client.ts';
import { openapi } from '../../support/http/openapi.ts';
import type { Json } from '../../support/stack/template.ts';
import { repeated } from './repeated.ts';

/** Headers without a valid API key. */
const keyless = [{}, { Authorization: 'Bearer x' }];

interface FallbackRequest {
  method: string;
  path: string;
  /** The methods of the path; empty if it has none. */
  allowed: string[];
  contentType?: string;
}

/** Requests for paths that no operation has. */
const unknownPaths: FallbackRequest[] = [
  { method: 'GET', path: '', allowed: [] },
  { method: 'GET', path: '/', allowed: [] },
  { method: 'GET', path: '/v1', allowed: [] },
  { method: 'POST', path: '/v1/', allowed: [] },
  { method: 'GET', path: '/v1/pets/1', allowed: [] },
  { method: 'DELETE', path: '/v1/inventory/1/history', allowed: [] },
  { method: 'GET', path: '/v2/inventory', allowed: [] },
  { method: 'GET', path: '/v1/Inventory', allowed: [] },
];

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Returns a request with each method that a path lacks. */
const otherMethods = (path: string, allowed: string[]): FallbackRequest[] =>
  methods
    .filter((method) => !allowed.includes(method))
    .map((method) => ({ method, path, allowed }));

const documented = Object.entries<Json>(openapi.paths).map(([path, operations]) => ({
  path: `/v1${path.replaceAll(/\{\w+\}/g, '1')}`,
  allowed: Object.keys(operations)
    .map((method) => method.toUpperCase())
    .sort(),
}));

/** Requests for paths of operations, with other methods. */
const wrongMethods = documented.flatMap(({ path, allowed }) => [
  ...otherMethods(path, allowed),
  // A final slash and the content type make no difference.
  ...otherMethods(`${path}/`, allowed).slice(0, 1),
  ...['text/plain; charset=utf-8', 'application/x-www-form-urlencoded'].flatMap((contentType) =>
    otherMethods(path, [...allowed, 'GET', 'HEAD'])
      .slice(0, 1)
      .map((request) => ({ ...request, allowed, contentType })),
  ),
]);

const requests = [...unknownPaths, ...wrongMethods];

/** The number of requests without a well-formed API key that these checks send. */
export const fallbackRequestsWithoutKey = keyless.length * requests.length;

const methodNotAllowed = (allowed: string[]): string =>
  allowed.length === 1
    ? `${allowed[0]} is the only method of this path.`
    : `The methods of this path are ${allowed.join(' and ')}.`;

const errorOf = (allowed: string[]) =>
  allowed.length > 0
    ? errorResponse(405, 'method_not_allowed', methodNotAllowed(allowed))
    : errorResponse(404, 'path_not_found', 'No operation has this path and method.');

/**
 * Defines the checks that requests for which there is no operation get the same error with and
 * without a key.
 */
export const fallbackRoutes = (service: Service): void =>
  test.each(requests)(
    '$method "$path" as $contentType, whose path has $allowed',
    repeated(async ({ method, path, allowed, contentType }: FallbackRequest) => {
      const error = errorOf(allowed);
      const body = ['GET', 'HEAD'].includes(method) ? undefined : 'a=b';
      const root = service.baseUrl.replace(/\/v1$/, '');
      const type = { 'Content-Type': contentType ?? 'application/json' };
      const responses = await Promise.all(
        [{ Authorization: `Bearer ${service.apiKey}` }, ...keyless].map((key) =>
          send(root, { method, path, headers: { ...key, ...type }, body }),
        ),
      );
      for (const response of responses) {
        // A response to HEAD has no body.
        expect(response).toMatchObject(method === 'HEAD' ? { ...error, body: '' } : error);
        expect(response.headers.allow ?? '').toBe(allowed.join(', '));
      }
    }),
  );
