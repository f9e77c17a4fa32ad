import { expect, test } from '@jest/globals';
import { findRoute, type Resource } from '../../../local/gateway/route.ts';

const resources = [
  ['/pets/{path+}', 'ANY'],
  ['/pets/{petId}', 'GET'],
  ['/pets', 'GET'],
  ['/pets/mine', 'GET', 'ANY'],
].map(([path = '', ...methods]): Resource => {
  return {
    path,
    methods: new Map(methods.map((method) => [method, `${method} ${path}` as never])),
  };
});

test.each([
  ['GET', '/pets', 'GET /pets', {}],
  ['GET', '/pets/mine', 'GET /pets/mine', {}],
  ['PUT', '/pets/mine', 'ANY /pets/mine', {}],
  ['GET', '/pets/%31', 'GET /pets/{petId}', { petId: '%31' }],
  ['GET', '/pets/1/2', 'ANY /pets/{path+}', { path: '1/2' }],
])('the route of %s %s is %s, with %j', (method, path, route, pathParameters) => {
  expect(findRoute(resources, method, path)).toEqual({ route, pathParameters });
});

test('a method that the best matching resource lacks is not looked for in other resources', () => {
  expect(findRoute(resources, 'DELETE', '/pets')).toBeUndefined();
});
