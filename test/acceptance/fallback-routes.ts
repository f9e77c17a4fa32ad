import { describe, expect, test } from '@jest/globals';
import { errorResponse } from '../support/http/http-client.ts';
import type { HttpResponse } from '../support/http/raw-request.ts';
import { repeated } from './repeated.ts';
import type { Checked } from './service.ts';

interface FallbackRequest {
  method: string;
  /** Below the stage, so that `/v1` is a part of it. */
  path: string;
  contentType: string;
  /** The only method of the path, or '' if no operation has the path. */
  allow: string;
}

const json = 'application/json';

const unknownPaths: FallbackRequest[] = [
  { method: 'GET', path: '' },
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/v1' },
  { method: 'POST', path: '/v1/' },
  { method: 'GET', path: '/v1/pets/1' },
  { method: 'DELETE', path: '/v1/inventory/1/history' },
  { method: 'GET', path: '/v2/inventory' },
  { method: 'GET', path: '/v1/Inventory' },
].map((request) => ({ ...request, contentType: json, allow: '' }));

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

const wrongMethods = (path: string, allow: string): FallbackRequest[] =>
  methods
    .filter((method) => method !== allow)
    .map((method) => ({ method, path, contentType: json, allow }));

const requests: FallbackRequest[] = [
  ...unknownPaths,
  ...wrongMethods('/v1/inventory', 'GET'),
  ...wrongMethods('/v1/inventory/1', 'PATCH'),
  // A final slash and the content type make no difference.
  { method: 'DELETE', path: '/v1/inventory/', contentType: json, allow: 'GET' },
  { method: 'DELETE', path: '/v1/inventory/1/', contentType: json, allow: 'PATCH' },
  { method: 'POST', path: '/v1/inventory', contentType: 'text/plain', allow: 'GET' },
  {
    method: 'POST',
    path: '/v1/inventory/1',
    contentType: 'application/x-www-form-urlencoded',
    allow: 'PATCH',
  },
];

const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');
const methodNotAllowed = (allow: string) =>
  errorResponse(405, 'method_not_allowed', `${allow} is the only method of this path.`);

/**
 * Defines the checks that requests for which there is no operation get the same error with and
 * without a key.
 */
export const fallbackRoutes = (service: Checked): void =>
  describe('where there is no operation, with or without a key', () => {
    test.each(requests)(
      '$method "$path" as $contentType is rejected; its path allows "$allow"',
      repeated(async ({ method, path, contentType, allow }: FallbackRequest) => {
        const body = ['GET', 'HEAD'].includes(method) ? undefined : 'a=b';
        for (const key of [`Bearer ${service.apiKey}`, 'Bearer x', undefined]) {
          const headers = { 'Content-Type': contentType, ...(key && { Authorization: key }) };
          const message = { method, path, headers, body };
          expectRejected(await service.sendBelowStage(message), { method, allow });
        }
      }),
    );
  });

const expectRejected = (
  response: HttpResponse,
  { method, allow }: { method: string; allow: string },
): void => {
  const error = allow === '' ? pathNotFound : methodNotAllowed(allow);
  // A response to HEAD has no body.
  expect(response).toMatchObject(method === 'HEAD' ? { ...error, body: '' } : error);
  expect(response.headers.allow ?? '').toBe(allow);
};
