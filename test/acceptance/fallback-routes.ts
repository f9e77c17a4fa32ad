import { describe, expect, test } from '@jest/globals';
import { errorResponse } from '../support/http/http-client.ts';
import { openapi } from '../support/http/openapi.ts';
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

const pathNotFound = errorResponse(404, 'path_not_found');

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Returns the methods that a path of openapi.yaml has. */
const methodsOf = (path: string): string[] =>
  Object.keys(openapi.paths[path])
    .map((method) => method.toUpperCase())
    .sort();

const [ofInventory, ofPet] = [methodsOf('/inventory'), methodsOf('/inventory/{petId}')];

const wrongMethods = (path: string, allowed: string[]) =>
  methods
    .filter((method) => !allowed.includes(method))
    .map((method) => ({ method, path, allowed }));

describe('where there is no operation, with or without a key', () => {
  test.each([
    { method: 'GET', path: '/' },
    { method: 'GET', path: '/v1' },
    { method: 'GET', path: '/v1/pets/1' },
    { method: 'DELETE', path: '/v1/inventory/1/history' },
    { method: 'GET', path: '/v2/inventory' },
    { method: 'GET', path: '/v1/Inventory' },
  ])('$method $path is a 404', async (request: Request) => {
    const responses = await sendThrice(request);
    expect(responses).toMatchObject([pathNotFound, pathNotFound, pathNotFound]);
  });

  test.each([
    ...wrongMethods('/v1/inventory', ofInventory),
    ...wrongMethods('/v1/inventory/1', ofPet),
    { method: 'DELETE', path: '/v1/inventory/', allowed: ofInventory },
    { method: 'DELETE', path: '/v1/inventory/1/', allowed: ofPet },
  ])('$method $path is a 405', async ({ allowed, ...request }: Request & { allowed: string[] }) => {
    const allow = allowed.join(', ');
    const { status, body } = errorResponse(405, 'method_not_allowed');
    // A response to HEAD has no body.
    const only = { status, headers: { allow }, body: request.method === 'HEAD' ? '' : body };
    expect(await sendThrice(request)).toMatchObject([only, only, only]);
  });
});
