import { describe, expect, test } from '@jest/globals';
import { errorResponse } from '../support/http/http-client.ts';
import { repeated } from './repeated.ts';
import { apiKey, sendBelowStage } from './service.ts';

interface Request {
  method: string;
  /** Below the stage, so that `/v1` is a part of it. */
  path: string;
}

const keys = [{ Authorization: `Bearer ${apiKey}` }, { Authorization: 'Bearer x' }, {}];

/** Sends a request with a key, with what cannot be one, and without any. */
const sendThrice = ({ method, path }: Request) => {
  const body = ['GET', 'HEAD'].includes(method) ? undefined : 'a=b';
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return Promise.all(
    keys.map((key) => sendBelowStage({ method, path, headers: { ...type, ...key }, body })),
  );
};

const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

const wrongMethods = (path: string, allow: string) =>
  methods.filter((method) => method !== allow).map((method) => ({ method, path, allow }));

describe('where there is no operation, with or without a key', () => {
  test.each([
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/v1' },
    { method: 'GET', path: '/v1/pets/1' },
    { method: 'DELETE', path: '/v1/inventory/1/history' },
    { method: 'GET', path: '/v2/inventory' },
    { method: 'GET', path: '/v1/Inventory' },
  ])(
    '$method $path is a 404',
    repeated(async (request: Request) => {
      const responses = await sendThrice(request);
      expect(responses).toMatchObject([pathNotFound, pathNotFound, pathNotFound]);
    }),
  );

  test.each([
    ...wrongMethods('/v1/inventory', 'GET'),
    ...wrongMethods('/v1/inventory/1', 'PATCH'),
    { method: 'DELETE', path: '/v1/inventory/', allow: 'GET' },
    { method: 'DELETE', path: '/v1/inventory/1/', allow: 'PATCH' },
  ])(
    '$method $path is a 405',
    repeated(async ({ allow, ...request }: Request & { allow: string }) => {
      const message = `${allow} is the only method of this path.`;
      const { status, body } = errorResponse(405, 'method_not_allowed', message);
      // A response to HEAD has no body.
      const only = { status, headers: { allow }, body: request.method === 'HEAD' ? '' : body };
      expect(await sendThrice(request)).toMatchObject([only, only, only]);
    }),
  );
});
