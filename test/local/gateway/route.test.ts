import { expect, test } from '@jest/globals';
import { findRoute, type Resource, type Route } from '../../../local/gateway/route.ts';

/** Returns a resource whose routes are named after its methods and its path. */
const resource = (path: string, ...methods: string[]): Resource => ({
  path,
  methods: new Map(methods.map((method) => [method, `${method} ${path}` as unknown as Route])),
});

const resources = [
  resource('/pets/{path+}', 'ANY'),
  resource('/pets/{petId}', 'GET'),
  resource('/pets', 'GET'),
  resource('/pets/mine', 'GET', 'ANY'),
  resource('/a.b', 'GET'),
];

test.each([
  { method: 'GET', path: '/pets', route: 'GET /pets', parameters: {} },
  { method: 'GET', path: '/pets/', route: 'GET /pets', parameters: {} },
  { method: 'GET', path: '/pets/mine', route: 'GET /pets/mine', parameters: {} },
  { method: 'PUT', path: '/pets/mine', route: 'ANY /pets/mine', parameters: {} },
  { method: 'GET', path: '/pets/%31', route: 'GET /pets/{petId}', parameters: { petId: '%31' } },
  { method: 'GET', path: '/pets/1/2', route: 'ANY /pets/{path+}', parameters: { path: '1/2' } },
])('the route of $method $path is $route', ({ method, path, route, parameters }) => {
  expect(findRoute(resources, method, path)).toEqual({ route, pathParameters: parameters });
});

test.each([
  { what: 'a method that the best resource lacks', method: 'DELETE', path: '/pets' },
  { what: 'a path that no resource has', method: 'GET', path: '/dogs' },
  { what: 'a path that only begins like a resource', method: 'GET', path: '/petsitters' },
  { what: 'a path that ends like a resource', method: 'GET', path: '/my/pets' },
  { what: 'a path that matches only as a pattern', method: 'GET', path: '/a-b' },
])('there is no route for $what', ({ method, path }) => {
  expect(findRoute(resources, method, path)).toBeUndefined();
});
