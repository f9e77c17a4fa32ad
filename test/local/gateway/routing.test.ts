import { afterEach, expect, jest, test } from '@jest/globals';
import { findRoute, type Resource, type Route } from '../../../local/gateway/route.ts';
import { type MethodSetting, methodThrottle } from '../../../local/gateway/throttle.ts';

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
  { request: 'GET /pets', route: 'GET /pets', parameters: {} },
  { request: 'GET /pets/', route: 'GET /pets', parameters: {} },
  { request: 'GET /pets/mine', route: 'GET /pets/mine', parameters: {} },
  { request: 'PUT /pets/mine', route: 'ANY /pets/mine', parameters: {} },
  { request: 'GET /pets/%31', route: 'GET /pets/{petId}', parameters: { petId: '%31' } },
  { request: 'GET /pets/1/2', route: 'ANY /pets/{path+}', parameters: { path: '1/2' } },
])('$request is served by $route', ({ request, route, parameters }) => {
  const [method = '', path = ''] = request.split(' ');
  const found = findRoute(resources, method, path);
  expect(found).toStrictEqual({ route, pathParameters: parameters });
});

test.each([
  { what: 'a method that the best resource lacks', request: 'DELETE /pets' },
  { what: 'a path that no resource has', request: 'GET /dogs' },
  { what: 'a path that only begins like a resource', request: 'GET /petsitters' },
  { what: 'a path that ends like a resource', request: 'GET /my/pets' },
  { what: 'a path that matches only as a pattern', request: 'GET /a-b' },
])('an API without a route for $what says so', ({ request }) => {
  const [method = '', path = ''] = request.split(' ');
  const message = `The API has no route for ${request}.`;
  expect(() => findRoute(resources, method, path)).toThrow(new Error(message));
});

afterEach(() => void jest.restoreAllMocks());

/** A setting that allows one request per second, after a burst. */
const setting = (
  HttpMethod: string,
  ResourcePath: string,
  ThrottlingBurstLimit: number,
): MethodSetting => ({ HttpMethod, ResourcePath, ThrottlingBurstLimit, ThrottlingRateLimit: 1 });

const ofStage = setting('*', '/*', 2);

test.each([
  { what: 'no setting', settings: [], passed: [10, 10, 10] },
  { what: 'the setting of the stage', settings: [ofStage], passed: [2, 1, 2] },
  {
    what: 'its own setting before the one of the stage',
    settings: [ofStage, setting('GET', '/~1v1~1pets', 4)],
    passed: [4, 1, 4],
  },
  {
    what: 'nothing of the stage if its own setting has no limits',
    settings: [ofStage, { HttpMethod: 'GET', ResourcePath: '/~1v1~1pets' }],
    passed: [10, 10, 10],
  },
  {
    what: 'no setting of another method',
    settings: [setting('PUT', '/~1v1~1pets', 1)],
    passed: [10, 10, 10],
  },
  {
    what: 'no setting of another path',
    settings: [setting('GET', '/~1v1~1dogs', 1)],
    passed: [10, 10, 10],
  },
])('the throttle of a method obeys $what', ({ settings, passed }) => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const allowsRequest = methodThrottle(settings, { httpMethod: 'GET', resourcePath: '/v1/pets' });
  // At the start, after a second and a half, and after a minute.
  const passedAt = [0, 1_500, 60_000].map((time) => {
    now.mockReturnValue(time);
    return Array.from({ length: 10 }, allowsRequest).filter(Boolean).length;
  });
  expect(passedAt).toStrictEqual(passed);
});

test('two methods of one setting are throttled each on its own', () => {
  const [first, second] = ['GET', 'PUT'].map((httpMethod) =>
    methodThrottle([ofStage], { httpMethod, resourcePath: '/v1/pets' }),
  );
  expect([first?.(), first?.(), first?.(), second?.()]).toStrictEqual([true, true, false, true]);
});
