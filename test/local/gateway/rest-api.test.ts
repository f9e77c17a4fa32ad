import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { readStack, type SynthesizedStack } from '../../../infra/assembly/resolved-stack.ts';
import { gateway } from '../../../local/gateway/gateway.ts';
import { isManagement, managementApi } from '../../../local/gateway/management-api.ts';
import { type RestApi, readRestApi } from '../../../local/gateway/rest-api.ts';
import { checkProperties } from '../../../local/gateway/served-properties.ts';
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts';
import type { AccessRecord } from '../../../local/log/access-log.ts';
import { sendRaw } from '../../../ops/acceptance/suite/raw-request.ts';
import { functionOf } from '../../support/http/fixture-gateway.ts';
import { serve } from '../../support/http/serve.ts';
import {
  assemblyWith,
  changedTemplate,
  resourcesOf,
  type Template,
} from '../../support/stack/synthesized.ts';

const policyDocument = { Statement: { Effect: 'Allow', Action: '*', Resource: '*' } };

/** Returns a function that authorizes requests, and responds with how many it has authorized. */
const countingFunction = (): LambdaFunction => {
  let calls = 0;
  return functionOf((event) => {
    if (event.type === 'TOKEN') {
      calls += 1;
      return { principalId: 'me', policyDocument, context: { calls } };
    }
    return { statusCode: 200, body: event.requestContext.authorizer.calls };
  });
};

/** Reads the API of prod, with a changed template. One function stands for all. */
const read = (
  change: (template: Template) => void = () => {},
  lambda = countingFunction(),
): RestApi => {
  const stack = readStack(assemblyWith(changedTemplate(change)), 'prod');
  const ids = stack.resources('AWS::Lambda::Function').keys();
  const arnOf = (id: string) => `arn:aws:lambda:us-east-1:000000000000:function:${stack.ref(id)}`;
  return readRestApi(stack, new Map([...ids].map((id) => [arnOf(id), lambda])));
};

/** Changes the properties of all resources of a type. */
const change = (type: string, properties: object) => (template: Template) => {
  for (const resource of Object.values(resourcesOf(template, type))) {
    Object.assign(resource.Properties, properties);
  }
};

const inventory = '/prod/v1/inventory';
const headers = { Authorization: `Bearer ${createApiKey('prod')}` };
const send = (url: string, method = 'PATCH', path = `${inventory}/1`) =>
  sendRaw(url, { method, path, headers });
const serveApi = (api: RestApi) => serve(gateway(api));

describe('the management API', () => {
  const api = read();
  const flush = `/restapis/${api.id}/stages/prod/cache/authorizers`;

  /** Returns the status of a request, and whether the next one is authorized anew. */
  const manage = async (method: string, path: string) => {
    const management = await serve(managementApi(api));
    const service = await serveApi(api);
    const { text: authorizations } = await send(service);
    const { status } = await sendRaw(management, { method, path });
    const { text: authorizationsThen } = await send(service);
    return { status, isAuthorizedAnew: authorizationsThen !== authorizations };
  };

  test.each([
    { what: 'another method', method: 'GET', path: flush },
    { what: 'another stage', method: 'DELETE', path: flush.replace('prod', 'staging') },
    { what: 'another API', method: 'DELETE', path: flush.replace(api.id, 'other') },
  ])('flushes nothing for $what', async ({ method, path }) => {
    expect(isManagement(path)).toBe(true);
    expect(await manage(method, path)).toEqual({ status: 404, isAuthorizedAnew: false });
  });

  test('flushes the cache that all methods share', async () => {
    expect(await manage('DELETE', flush)).toEqual({ status: 202, isAuthorizedAnew: true });
  });
});

test('an API throttles each method on its own, and all methods of ANY together', async () => {
  const limit = {
    HttpMethod: '*',
    ResourcePath: '/*',
    ThrottlingRateLimit: 0.001,
    ThrottlingBurstLimit: 1,
  };
  const url = await serveApi(read(change('AWS::ApiGateway::Stage', { MethodSettings: [limit] })));
  const statuses: number[] = [];
  for (const method of ['PATCH', 'DELETE', 'PATCH', 'PUT']) {
    statuses.push((await send(url, method)).status);
  }
  expect(statuses).toEqual([200, 405, 429, 429]);
});

test.each([
  { path: '/prod', resourcePath: '/' },
  { path: `${inventory}/1`, resourcePath: '/v1/inventory/{petId}' },
])('a request for $path is logged as one of the resource $resourcePath', async (row) => {
  const { promise: logged, resolve } = Promise.withResolvers<AccessRecord>();
  await send(await serve(gateway(read(), resolve)), 'PATCH', row.path);
  expect((await logged).resourcePath).toBe(row.resourcePath);
});

test.each([
  { source: 'authorizers/*', errorType: 'InternalServerErrorException' },
  { source: 'prod/*', errorType: 'AuthorizerConfigurationException' },
])('an API that may invoke its functions only from $source responds with a 500', async (row) => {
  const SourceArn = `arn:aws:execute-api:us-east-1:000000000000:local/${row.source}`;
  const url = await serveApi(read(change('AWS::Lambda::Permission', { SourceArn })));
  expect(await send(url)).toMatchObject({
    status: 500,
    headers: { 'x-amzn-errortype': row.errorType },
  });
});

/** Gives every integration with a function this timeout, in milliseconds. */
const changeTimeouts = (TimeoutInMillis?: number) => (template: Template) => {
  for (const { Properties } of Object.values(resourcesOf(template, 'AWS::ApiGateway::Method'))) {
    if (Properties.Integration.Type === 'AWS_PROXY') {
      Object.assign(Properties.Integration, { TimeoutInMillis });
    }
  }
};

describe('an integration', () => {
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
    });
  });
  afterEach(() => void jest.useRealTimers());

  test.each([
    { timeout: undefined, milliseconds: 28_999, status: 200 },
    { timeout: undefined, milliseconds: 29_001, status: 504 },
    { timeout: 5_000, milliseconds: 4_999, status: 200 },
    { timeout: 5_000, milliseconds: 5_001, status: 504 },
  ])('of timeout $timeout waits $milliseconds ms for a function: $status', async (row) => {
    const invoked = Promise.withResolvers<void>();
    const lambda = functionOf(async (event) => {
      if (event.type === 'TOKEN') {
        return { principalId: 'me', policyDocument };
      }
      invoked.resolve();
      await new Promise((resolve) => setTimeout(resolve, row.milliseconds));
      return { statusCode: 200 };
    });
    const responding = send(await serveApi(read(changeTimeouts(row.timeout), lambda)));
    await invoked.promise;
    await jest.advanceTimersByTimeAsync(row.milliseconds);
    expect((await responding).status).toBe(row.status);
  });
});

describe('a template that the local run cannot serve is rejected', () => {
  test.each([
    {
      type: 'Authorizer',
      properties: { Type: 'REQUEST' },
      reason: 'TOKEN authorizers of the Authorization header',
    },
    {
      type: 'Authorizer',
      properties: { IdentitySource: 'method.request.header.Key' },
      reason: 'TOKEN authorizers of the Authorization header',
    },
    {
      type: 'Method',
      properties: { AuthorizationType: 'AWS_IAM', AuthorizerId: undefined },
      reason: 'no authorization of type AWS_IAM',
    },
    {
      type: 'Method',
      properties: { Integration: { Type: 'HTTP' } },
      reason: 'no integration of type HTTP',
    },
    {
      type: 'Method',
      properties: { Integration: { Type: 'AWS_PROXY', Uri: 'arn:other' } },
      reason: 'no function arn:other',
    },
    {
      type: 'Stage',
      properties: { StageName: { 'Fn::ImportValue': 'x' } },
      reason: 'uses Fn::ImportValue, which the local run does not evaluate',
    },
    {
      type: 'Stage',
      properties: { StageName: { Ref: 'Nobody' } },
      reason: 'refers to Nobody, which it does not define',
    },
    {
      type: 'Stage',
      properties: { StageName: { 'Fn::GetAtt': ['Nobody', 'Arn'] } },
      reason: 'no attribute undefined.Arn',
    },
  ])('$reason', ({ type, properties, reason }) => {
    expect(() => read(change(`AWS::ApiGateway::${type}`, properties))).toThrow(reason);
  });

  test.each(['AWS::ApiGateway::RestApi', 'AWS::ApiGateway::Stage'])('a second %s', (type) => {
    const twice = (template: Template) => {
      const [resource] = Object.values(resourcesOf(template, type));
      template.Resources.Second = resource;
    };
    expect(() => read(twice)).toThrow(/^The local run serves stacks with one /);
  });
});

describe('a property of a resource', () => {
  /** Returns a stack whose only resource is called Pets. */
  const stackWith = (type: string, properties: object) => {
    const resources = (asked: string) => new Map(asked === type ? [['Pets', properties]] : []);
    return { resources } as unknown as SynthesizedStack;
  };

  const method = 'AWS::ApiGateway::Method';

  test.each([
    { what: 'is false', type: method, properties: { ApiKeyRequired: false } },
    {
      what: 'belongs to an object of which nothing is checked',
      type: method,
      properties: { MethodResponses: [{ Anything: true }] },
    },
    {
      what: 'belongs to a resource that the local run ignores',
      type: 'AWS::SNS::Topic',
      properties: { Anything: true },
    },
  ])('is accepted if it $what', ({ type, properties }) => {
    expect(() => checkProperties(stackWith(type, properties))).not.toThrow();
  });

  test.each([
    {
      type: method,
      properties: { HttpMethod: 'GET', ApiKeyRequired: true },
      named: 'ApiKeyRequired of Pets (AWS::ApiGateway::Method)',
    },
    {
      type: method,
      properties: { Integration: { Type: 'MOCK', CacheNamespace: 'x' } },
      named: 'CacheNamespace of Pets (AWS::ApiGateway::Method.Integration)',
    },
    {
      type: 'AWS::ApiGateway::Stage',
      properties: { MethodSettings: [{ HttpMethod: 'GET' }, { CachingEnabled: true }] },
      named: 'CachingEnabled of Pets (AWS::ApiGateway::Stage.MethodSettings)',
    },
    {
      type: 'AWS::Lambda::Function',
      properties: { VpcConfig: {} },
      named: 'VpcConfig of Pets (AWS::Lambda::Function)',
    },
  ])('is rejected if it is unknown: $named', ({ type, properties, named }) => {
    const message = `The local run does not serve the ${named}.`;
    expect(() => checkProperties(stackWith(type, properties))).toThrow(message);
  });
});
