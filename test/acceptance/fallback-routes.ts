// What a request gets, without a key, where there is no operation.
import { expect, test } from '@jest/globals';
import { errorResponse } from '../support/http/http-client.ts';
import { openapi } from '../support/http/openapi.ts';
import { sendBelowStage } from './service.ts';

test.each([
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/v1' },
  { method: 'GET', path: '/v1/pets/1' },
  { method: 'DELETE', path: '/v1/inventory/1/history' },
  { method: 'GET', path: '/v2/inventory' },
  { method: 'GET', path: '/v1/Inventory' },
])('$method $path is a 404', async (request) => {
  expect(await sendBelowStage(request)).toMatchObject(errorResponse(404, 'path_not_found'));
});

test.each(Object.keys(openapi.paths))('any other method at %s is a 405', async (template) => {
  const allowed = Object.keys(openapi.paths[template]).map((method) => method.toUpperCase());
  const path = `/v1${template.replace('{petId}', '1')}`;
  // As curl sends a body.
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const { status, body } = errorResponse(405, 'method_not_allowed');
  const expected = { status, headers: { allow: allowed.sort().join(', ') }, body };
  for (const method of ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
    if (!allowed.includes(method)) {
      const message = { method, path, ...(method !== 'GET' && { headers: form, body: 'a=b' }) };
      expect({ method, ...(await sendBelowStage(message)) }).toMatchObject({ method, ...expected });
    }
  }
  const head = await sendBelowStage({ method: 'HEAD', path });
  expect(head).toMatchObject({ ...expected, body: '' });
});
