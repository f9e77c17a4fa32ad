import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../infra/service/operations.ts';
import { openapi } from '../../../ops/acceptance/suite/openapi.ts';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

const { all } = stackOf('prod');
const [stage] = all('AWS::ApiGateway::Stage');

test('the API is regional, and accepts TLS 1.2 and later', () => {
  expect(all('AWS::ApiGateway::RestApi')).toMatchObject([
    {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    },
  ]);
});

test('the table has each operation of openapi.yaml', () => {
  const documented = Object.entries<Json>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { operationId }]) => [
      operationId,
      `${method.toUpperCase()} ${path}`,
    ]),
  );
  const rows = operations.map(({ operationId, method, path }) => [
    operationId,
    `${method} ${path}`,
  ]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(documented));
});

test('a key that may only read can do a GET, and nothing else', () => {
  for (const { method, access } of operations) {
    expect({ method, access }).toEqual({ method, access: method === 'GET' ? 'read' : 'write' });
  }
});

test('the method of each operation invokes its function, if the authorizer allows it', () => {
  const methods = all('AWS::ApiGateway::Method')
    .filter(({ OperationName }) => OperationName)
    .map(({ OperationName, AuthorizationType, Integration }) => [
      OperationName,
      { authorization: AuthorizationType, invokes: Integration.Uri.split('/functions/')[1] },
    ]);
  expect(Object.fromEntries(methods)).toEqual({
    listInventory: {
      authorization: 'CUSTOM',
      invokes: '<ListInventoryLive>/response-streaming-invocations',
    },
    updateInventory: { authorization: 'CUSTOM', invokes: '<UpdateInventoryLive>/invocations' },
  });
});

test('the authorizer is asked only about headers with a well-formed key of the stage', () => {
  expect(all('AWS::ApiGateway::Authorizer')).toMatchObject([
    {
      AuthorizerUri: expect.stringMatching(/functions\/<AuthorizerLive>\/invocations$/),
      IdentityValidationExpression: '^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_prod_[0-9a-f]{48}$',
      AuthorizerResultTtlInSeconds: 50,
    },
  ]);
});

test('only requests to the stage invoke functions, not tests in the console', () => {
  const stages = all('AWS::Lambda::Permission')
    .map(({ SourceArn }) => SourceArn.split('/')[1])
    .filter((source) => source !== 'authorizers');
  expect(stages).toEqual(['<ApiDeploymentStageprod>', '<ApiDeploymentStageprod>']);
});

describe('the requests that need no key', () => {
  const [ofOthers] = stage.MethodSettings.filter(({ ResourcePath }: Json) => ResourcePath === '/*');
  const fallbacks = all('AWS::ApiGateway::Method').filter(
    ({ AuthorizationType }) => AuthorizationType === 'NONE',
  );

  test('are those of the fallback routes, which invoke nothing', () => {
    const kinds = fallbacks.map(
      ({ HttpMethod, Integration }) => `${HttpMethod} ${Integration.Type}`,
    );
    // The root, /v1, /v1/inventory, /v1/inventory/{petId}, and everything else.
    expect(kinds).toEqual(Array(5).fill('ANY MOCK'));
  });

  test('are at most 1 % of what an account may get, on all routes together', () => {
    const ofAccount = 10_000;
    expect(ofOthers.ThrottlingRateLimit * fallbacks.length).toBeLessThanOrEqual(0.01 * ofAccount);
  });

  test('have a burst, but no paid metrics of each method', () => {
    expect(ofOthers).toEqual({
      ResourcePath: '/*',
      HttpMethod: '*',
      ThrottlingRateLimit: 20,
      ThrottlingBurstLimit: 40,
      DataTraceEnabled: false,
    });
  });
});

// test/infra/settings/stages.test.ts has their limits.
test('the operations have metrics of their own, and their bodies are not logged', () => {
  const settings = stage.MethodSettings.filter(({ ResourcePath }: Json) => ResourcePath !== '/*');
  const measured = { DataTraceEnabled: false, MetricsEnabled: true };
  expect(settings).toMatchObject([
    { ResourcePath: '/~1v1~1inventory', HttpMethod: 'GET', ...measured },
    { ResourcePath: '/~1v1~1inventory~1{petId}', HttpMethod: 'PATCH', ...measured },
  ]);
});

test('the access log leaves out what can quote a key', () => {
  const { DestinationArn, Format } = stage.AccessLogSetting;
  expect(DestinationArn).toMatch(/:log-group:<ApiAccessLog>$/);
  expect(Format).not.toMatch(
    /error\.message|authorizer\.principalId|requestOverride|Authorization/,
  );
});

test('the access log has what alarms, saved queries and operators tell requests apart by', () => {
  expect(JSON.parse(stage.AccessLogSetting.Format)).toMatchObject({
    // In milliseconds. `$context.requestTime` has only seconds.
    time: '$context.requestTimeEpoch',
    requestId: '$context.requestId',
    extendedRequestId: '$context.extendedRequestId',
    ip: '$context.identity.sourceIp',
    userAgent: '$context.identity.userAgent',
    method: '$context.httpMethod',
    path: '$context.path',
    resourcePath: '$context.resourcePath',
    keyId: '$context.authorizer.keyId',
    status: '$context.status',
    responseType: '$context.error.responseType',
    wafResponseCode: '$context.wafResponseCode',
    latency: '$context.responseLatency',
    authorizerLatency: '$context.authorizer.latency',
    integrationLatency: '$context.integration.latency',
    // What the function returned. `$context.integrationStatus` is 200 even if it returned a 500.
    integrationStatus: '$context.integration.status',
  });
});

describe("the gateway's own responses", () => {
  const responses = all('AWS::ApiGateway::GatewayResponse').map(
    ({ ResponseType, ResponseTemplates, StatusCode, ResponseParameters }) => ({
      type: ResponseType,
      error: JSON.parse(ResponseTemplates['application/json']),
      status: Number(StatusCode),
      headers: ResponseParameters,
    }),
  );

  test('have these codes', () => {
    expect(Object.fromEntries(responses.map(({ type, error }) => [type, error.code]))).toEqual({
      ACCESS_DENIED: 'unauthorized',
      EXPIRED_TOKEN: 'unauthorized',
      INVALID_SIGNATURE: 'unauthorized',
      UNAUTHORIZED: 'unauthorized',
      WAF_FILTERED: 'forbidden',
      MISSING_AUTHENTICATION_TOKEN: 'path_not_found',
      RESOURCE_NOT_FOUND: 'path_not_found',
      UNSUPPORTED_MEDIA_TYPE: 'path_not_found',
      DEFAULT_4XX: 'bad_request',
      REQUEST_TOO_LARGE: 'request_too_large',
      THROTTLED: 'too_many_requests',
      API_CONFIGURATION_ERROR: 'internal_error',
      AUTHORIZER_CONFIGURATION_ERROR: 'internal_error',
      AUTHORIZER_FAILURE: 'internal_error',
      INTEGRATION_FAILURE: 'internal_error',
      DEFAULT_5XX: 'bad_gateway',
      INTEGRATION_TIMEOUT: 'gateway_timeout',
    });
  });

  test.each(responses)('$type has the status and the headers of its code', (response) => {
    const headers: Record<number, object> = {
      401: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
      429: { 'gatewayresponse.header.Retry-After': "'1'" },
    };
    expect(response.status).toBe(response.error.status);
    expect(response.headers).toEqual(headers[response.status]);
  });
});
