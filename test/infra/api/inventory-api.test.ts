import { describe, expect, test } from '@jest/globals';
import { deliveredStack } from '../../support/stack/in-process.ts';
import type { Json } from '../../support/stack/template.ts';
import { documentedOperations, documentedPaths } from '../service/documented-operations.ts';

const api = () => deliveredStack('prod');
const stageOfApi = (): Json => api().all('AWS::ApiGateway::Stage')[0];
const live = (name: string, path = 'invocations') =>
  expect.stringMatching(`/functions/<${name}Live>/${path}$`);

// test/system/acceptance tests what the operations and the fallback routes respond, with and
// without a key.
describe('the API', () => {
  test('invokes the live alias of a function for an update', () => {
    const { Integration } = api().byName('AWS::ApiGateway::Method').Apiv1inventorypetIdPATCH;
    expect(Integration).toMatchObject({ Uri: live('UpdateInventory') });
    expect(Integration).not.toHaveProperty('ResponseTransferMode');
  });

  test('streams a list, and waits for it longer than it may take', () => {
    const { Integration } = api().byName('AWS::ApiGateway::Method').Apiv1inventoryGET;
    expect(Integration).toMatchObject({
      Uri: live('ListInventory', 'response-streaming-invocations'),
      ResponseTransferMode: 'STREAM',
      TimeoutInMillis: 70_000,
    });
  });

  test('invokes functions for requests to its stage, and not for tests in the console', () => {
    const sources = api()
      .all('AWS::Lambda::Permission')
      .map(({ SourceArn }) => SourceArn.split('/')[1]);
    const ofOperations = sources.filter((source) => source !== 'authorizers');
    expect(ofOperations).toEqual(documentedOperations.map(() => '<ApiDeploymentStageprod>'));
  });

  test('asks the authorizer only about headers with a well-formed key of the stage', () => {
    expect(api().all('AWS::ApiGateway::Authorizer')).toMatchObject([
      {
        AuthorizerUri: live('Authorizer'),
        IdentityValidationExpression: '^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_prod_[0-9a-f]{48}$',
        AuthorizerResultTtlInSeconds: 50,
      },
    ]);
  });

  test('is regional, and accepts TLS 1.2 and later', () => {
    expect(api().all('AWS::ApiGateway::RestApi')).toEqual([
      {
        Name: 'petstore-inventory-prod',
        Description: 'Petstore inventory service (prod)',
        EndpointConfiguration: { Types: ['REGIONAL'] },
        SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
        EndpointAccessMode: 'BASIC',
      },
    ]);
  });

  test('limits, measures and traces each method, and logs no bodies', () => {
    const seen = { DataTraceEnabled: false, MetricsEnabled: true };
    const requests = { ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 4_000 };
    const lists = { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 };
    const settings = documentedOperations.map(({ method, path, lists: isList }) => ({
      ResourcePath: `/~1v1${path.replaceAll('/', '~1')}`,
      HttpMethod: method,
      ...(isList ? lists : requests),
      ...seen,
    }));
    const ofOthers = { ResourcePath: '/*', HttpMethod: '*', ...requests, ...seen };
    expect(stageOfApi().TracingEnabled).toBe(true);
    expect(new Set(stageOfApi().MethodSettings)).toEqual(new Set([ofOthers, ...settings]));
  });
});

const notFound = {
  status: '404',
  body: {
    code: 'path_not_found',
    message: 'No operation has this path and method.',
    status: 404,
  },
  headers: {},
  declared: [{ StatusCode: '404', ResponseParameters: {} }],
};
const allow = 'method.response.header.Allow';
const notAllowed = (methods: string[]) => {
  const message =
    methods.length === 1
      ? `${methods[0]} is the only method of this path.`
      : `The methods of this path are ${methods.join(' and ')}.`;
  return {
    status: '405',
    body: { code: 'method_not_allowed', message, status: 405 },
    headers: { [allow]: `'${methods.join(', ')}'` },
    declared: [{ StatusCode: '405', ResponseParameters: { [allow]: true } }],
  };
};

describe('the fallback routes', () => {
  const fallbacks = (): Json[] =>
    api()
      .all('AWS::ApiGateway::Method')
      .filter(({ HttpMethod }) => HttpMethod === 'ANY');
  const responsesOf = ({ Integration, MethodResponses }: Json) => {
    const [{ StatusCode, ResponseTemplates, ResponseParameters }] =
      Integration.IntegrationResponses;
    return {
      body: JSON.parse(ResponseTemplates['application/json']),
      status: StatusCode,
      headers: ResponseParameters,
      declared: MethodResponses,
    };
  };

  test('are mocks, which need no key', () => {
    const own = { AuthorizationType: 'NONE', Integration: { Type: 'MOCK' } };
    expect(fallbacks()).toMatchObject(fallbacks().map(() => own));
  });

  test('send the status of their response for each content type that they know', () => {
    for (const { Integration } of fallbacks()) {
      const { RequestTemplates, IntegrationResponses, PassthroughBehavior } = Integration;
      const status = Number(IntegrationResponses[0].StatusCode);
      expect(PassthroughBehavior).toBe('NEVER');
      expect(Object.keys(RequestTemplates)).toEqual(
        expect.arrayContaining(['application/json', 'application/x-www-form-urlencoded']),
      );
      for (const template of Object.values(RequestTemplates)) {
        expect(JSON.parse(String(template))).toEqual({ statusCode: status });
      }
    }
  });

  test('are a 405 with the methods of a path, else a 404', () => {
    const { byName } = api();
    const responses = Object.entries(byName('AWS::ApiGateway::Method'))
      .filter(([, { HttpMethod }]) => HttpMethod === 'ANY')
      .map(([name, method]) => [name, responsesOf(method)]);
    expect(Object.fromEntries(responses)).toEqual({
      ApiANY: notFound,
      Apiv1ANY: notFound,
      ApiproxyANY: notFound,
      ...Object.fromEntries(
        documentedPaths.map(({ path, methods }) => [
          `Apiv1${path.replaceAll(/\W/g, '')}ANY`,
          notAllowed(methods),
        ]),
      ),
    });
  });
});

describe('the access log', () => {
  const format = () => JSON.parse(stageOfApi().AccessLogSetting.Format);

  test('is a log group of the stage', () => {
    expect(stageOfApi().AccessLogSetting.DestinationArn).toMatch(/:log-group:<ApiAccessLog>$/);
  });

  // AWS's list of variables for access logs has each of these.
  test('has these variables: not the message of an error, which can quote the key', () => {
    expect(format()).toEqual({
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
      responseLength: '$context.responseLength',
      latency: '$context.responseLatency',
      authorizerError: '$context.authorizer.error',
      authorizerLatency: '$context.authorizer.latency',
      integrationError: '$context.integration.error',
      integrationLatency: '$context.integration.latency',
      integrationStatus: '$context.integration.status',
      timeToFirstContent: '$context.integration.timeToFirstContent',
      tlsVersion: '$context.tlsVersion',
    });
  });
});

describe("the gateway's own responses", () => {
  const responses = (): Json[] => api().all('AWS::ApiGateway::GatewayResponse');
  const bodyOf = ({ ResponseTemplates }: Json) => JSON.parse(ResponseTemplates['application/json']);

  test('have these codes', () => {
    const codes = responses().map((each) => [each.ResponseType, bodyOf(each).code]);
    expect(Object.fromEntries(codes)).toEqual({
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

  test('have the status of their code, and its header', () => {
    const headers: Record<number, object> = {
      401: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
      429: { 'gatewayresponse.header.Retry-After': "'1'" },
    };
    for (const response of responses()) {
      const { status } = bodyOf(response);
      expect(response.StatusCode).toBe(String(status));
      expect(response.ResponseParameters).toEqual(headers[status]);
    }
  });
});
