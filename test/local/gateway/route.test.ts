import { describe, expect, test } from '@jest/globals';
import { findRoute, type Resource } from '../../../local/gateway/route.ts';

const resourceOf = (path: string, ...methods: string[]): Resource => ({
  path,
  methods: new Map(methods.map((method) => [method, `${method} ${path}` as never])),
});

const resources = [
  resourceOf('/{proxy+}', 'ANY'),
  resourceOf('/pets/{path+}', 'ANY'),
  resourceOf('/pets/{petId}', 'GET'),
  resourceOf('/pets', 'GET'),
  resourceOf('/pets/mine', 'GET', 'ANY'),
  resourceOf('/p.ts', 'GET'),
];

describe('the route of a request', () => {
  test.each([
    ['GET', '/pets', 'GET /pets', {}],
    ['GET', '/pets/', 'GET /pets', {}],
    ['GET', '/pets/mine', 'GET /pets/mine', {}],
    ['PUT', '/pets/mine', 'ANY /pets/mine', {}],
    ['GET', '/pets/%31', 'GET /pets/{petId}', { petId: '%31' }],
    ['GET', '/pets/1/2', 'ANY /pets/{path+}', { path: '1/2' }],
    ['GET', '/dogs/1', 'ANY /{proxy+}', { proxy: 'dogs/1' }],
  ])('%s %s is %s, with %j', (method, path, route, pathParameters) => {
    expect(findRoute(resources, method, path)).toEqual({ route, pathParameters });
  });

  test.each(['DELETE', 'HEAD'])('that the best resource lacks is not looked for elsewhere: %s', (method) => {
    expect(findRoute(resources, method, '/pets')).toBeUndefined();
  });
});
