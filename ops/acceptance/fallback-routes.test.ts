import { describe, expect, test } from '@jest/globals';
import { apiKey, baseUrl, errorResponse, sendBare } from './service.ts';

/** The stage's URL, so that `/v1` is a part of the paths below. */
const root = baseUrl.replace(/\/v1$/, '');

const pathNotFound = errorResponse(404, 'path_not_found', 'No operation has this path and method.');

const unknownPaths = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/v1' },
  { method: 'GET', path: '/v1/pets/1' },
  { method: 'DELETE', path: '/v1/inventory/1/history' },
  { method: 'GET', path: '/v1/Inventory' },
];

const wrongMethods = [
  ...['DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map((method) => ({
    method,
    path: '/v1/inventory',
    allow: 'GET',
  })),
  ...['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'].map((method) => ({
    method,
    path: '/v1/inventory/1',
    allow: 'PATCH',
  })),
];

/** Sends the request with a key, with what cannot be one, and without any. */
const sendThrice = (method: string, path: string) => {
  const keys: Record<string, string>[] = [
    { Authorization: `Bearer ${apiKey}` },
    { Authorization: 'Bearer x' },
    {},
  ];
  const body = ['GET', 'HEAD'].includes(method) ? undefined : 'a=b';
  return Promise.all(
    keys.map((key) =>
      sendBare({ method, path, headers: { ...key, 'Content-Type': 'text/plain' }, body }, root),
    ),
  );
};

describe('where there is no operation, with or without a key', () => {
  test.each(unknownPaths)('$method $path is a 404', async ({ method, path }) => {
    expect(await sendThrice(method, path)).toMatchObject(Array(3).fill(pathNotFound));
  });

  test.each(wrongMethods)('$method $path is a 405', async ({ method, path, allow }) => {
    const message = `${allow} is the only method of this path.`;
    const { status, body } = errorResponse(405, 'method_not_allowed', message);
    // A response to HEAD has no body.
    const expected = { status, headers: { allow }, body: method === 'HEAD' ? '' : body };
    expect(await sendThrice(method, path)).toMatchObject(Array(3).fill(expected));
  });
});
