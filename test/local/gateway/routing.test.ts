import { describe, expect, jest, test } from '@jest/globals';
import type { SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { invokePermissions } from '../../../local/gateway/invoke-permissions.ts';
import { findRoute, type Resource, type Route } from '../../../local/gateway/route.ts';
import { type MethodSetting, methodThrottle } from '../../../local/gateway/throttle.ts';

describe('the route of a request', () => {
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
  ])('$method $path is $route', ({ method, path, route, parameters }) => {
    expect(findRoute(resources, method, path)).toEqual({ route, pathParameters: parameters });
  });

  test.each([
    { what: 'a method that the best resource lacks', method: 'DELETE', path: '/pets' },
    { what: 'a path that no resource has', method: 'GET', path: '/dogs' },
    { what: 'a path that only begins like a resource', method: 'GET', path: '/petsitters' },
    { what: 'a path that ends like a resource', method: 'GET', path: '/my/pets' },
    { what: 'a path that matches only as a pattern', method: 'GET', path: '/a-b' },
  ])('does not exist for $what', ({ method, path }) => {
    expect(findRoute(resources, method, path)).toBeUndefined();
  });
});

describe('the throttle of a method', () => {
  /** A setting that allows one request per second, after a burst. */
  const setting = (
    HttpMethod: string,
    ResourcePath: string,
    ThrottlingBurstLimit: number,
  ): MethodSetting => ({ HttpMethod, ResourcePath, ThrottlingBurstLimit, ThrottlingRateLimit: 1 });

  const ofStage = setting('*', '/*', 2);
  const withoutLimits = { HttpMethod: 'GET', ResourcePath: '/~1v1~1pets' };

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
      settings: [ofStage, withoutLimits],
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
  ])('obeys $what', ({ settings, passed }) => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const allowsRequest = methodThrottle(settings, { httpMethod: 'GET', resourcePath: '/v1/pets' });
    // At the start, after a second and a half, and after a minute.
    const passedAt = [0, 1_500, 60_000].map((time) => {
      now.mockReturnValue(time);
      return Array.from({ length: 10 }, allowsRequest).filter(Boolean).length;
    });
    now.mockRestore();
    expect(passedAt).toEqual(passed);
  });
});

describe('the permission of a method to invoke its function', () => {
  const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:list:live';
  const sourceArn = 'arn:aws:execute-api:us-east-1:000000000000:local/test/GET/pets';
  const permission = {
    Action: 'lambda:InvokeFunction',
    FunctionName: functionArn,
    Principal: 'apigateway.amazonaws.com',
    SourceArn: sourceArn,
  };
  const ofOtherPath = { ...permission, SourceArn: `${sourceArn}/other` };

  test.each([
    { what: 'none', permissions: [], isPermitted: false },
    { what: 'one', permissions: [permission], isPermitted: true },
    { what: 'one of several', permissions: [ofOtherPath, permission], isPermitted: true },
    {
      what: 'one of another action',
      permissions: [{ ...permission, Action: 'lambda:GetFunction' }],
      isPermitted: false,
    },
    {
      what: 'one of another principal',
      permissions: [{ ...permission, Principal: 's3.amazonaws.com' }],
      isPermitted: false,
    },
    {
      what: 'one of another function',
      permissions: [{ ...permission, FunctionName: functionArn.replace('list', 'update') }],
      isPermitted: false,
    },
    {
      what: 'one of the function without its alias',
      permissions: [{ ...permission, FunctionName: functionArn.replace(':live', '') }],
      isPermitted: false,
    },
    {
      what: 'one of another method',
      permissions: [{ ...permission, SourceArn: sourceArn.replace('GET', 'PUT') }],
      isPermitted: false,
    },
    {
      what: 'one of all methods',
      permissions: [{ ...permission, SourceArn: sourceArn.replace('GET', '*') }],
      isPermitted: true,
    },
    {
      what: 'one of another partition',
      permissions: [{ ...permission, SourceArn: sourceArn.replace('arn:aws:', 'arn:aws-us-gov:') }],
      isPermitted: true,
    },
  ])('is given by $what: $isPermitted', ({ permissions, isPermitted }) => {
    const resources = () => new Map(permissions.map((one, index) => [`Permission${index}`, one]));
    const stack = { resources } as unknown as SynthesizedStack;
    expect(invokePermissions(stack)(functionArn, sourceArn)).toBe(isPermitted);
  });
});
