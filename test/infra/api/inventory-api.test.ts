import { describe, expect, test } from '@jest/globals';
import { logicalId, resourcesOf, type Template, templates } from '../../support/synthesized.ts';

interface Mock {
  Type: string;
  PassthroughBehavior: string;
  RequestTemplates: Record<string, string>;
  IntegrationResponses: {
    StatusCode?: string;
    ResponseParameters?: Record<string, string>;
    ResponseTemplates?: Record<string, string>;
  }[];
}

describe.each(Object.keys(templates))('the API of %s', (stageName) => {
  const template = templates[stageName] as Template;
  const of = (type: string) => resourcesOf(template, type);
  const id = (type: string, constructId: string) => logicalId(template, type, constructId);
  const only = (type: string) => {
    const [resource, ...others] = Object.values(of(type));
    expect(others).toEqual([]);
    return resource?.Properties ?? {};
  };
  const api = id('AWS::ApiGateway::RestApi', 'Api');

  test('has its operations behind the authorizer', () => {
    /** The function that an invocation URI ends in. */
    const invoked = (uri: unknown) => (uri as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1].slice(-3);
    const live = (name: string) => ({ Ref: id('AWS::Lambda::Alias', `${name}Live`) });
    const invocation = (name: string) => [':lambda:path/2015-03-31/functions/', live(name), '/invocations'];
    const authorizer = id('AWS::ApiGateway::Authorizer', 'ApiApiKeyAuthorizer');

    expect(
      Object.values(of('AWS::ApiGateway::Method'))
        .filter(({ Properties }) => Properties.HttpMethod !== 'ANY')
        .map(({ Properties }) => ({
          operation: Properties.OperationName,
          method: Properties.HttpMethod,
          authorization: [Properties.AuthorizationType, Properties.AuthorizerId],
          invoked: invoked((Properties.Integration as { Uri: unknown }).Uri),
        }))
        .sort((a, b) => String(a.method).localeCompare(String(b.method))),
    ).toEqual([
      {
        operation: 'listInventory',
        method: 'GET',
        authorization: ['CUSTOM', { Ref: authorizer }],
        invoked: [':lambda:path/2021-11-15/functions/', live('ListInventory'), '/response-streaming-invocations'],
      },
      {
        operation: 'updateInventory',
        method: 'PATCH',
        authorization: ['CUSTOM', { Ref: authorizer }],
        invoked: invocation('UpdateInventory'),
      },
    ]);
    expect(template.Resources[authorizer]?.Properties).toMatchObject({
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      IdentityValidationExpression: `^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_${stageName}_[0-9a-f]{48}$`,
      AuthorizerResultTtlInSeconds: 50,
    });
    expect(invoked(template.Resources[authorizer]?.Properties.AuthorizerUri)).toEqual(invocation('Authorizer'));
    expect(template.Resources[api]?.Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
  });

  test('streams the list, and waits for it longer than it may take', () => {
    const integrations = Object.values(of('AWS::ApiGateway::Method'))
      .filter(({ Properties }) => Properties.HttpMethod !== 'ANY')
      .map(({ Properties }) => {
        const { ResponseTransferMode, TimeoutInMillis } = Properties.Integration as Record<string, unknown>;
        return [Properties.OperationName, ResponseTransferMode, TimeoutInMillis];
      });
    expect(integrations.sort()).toEqual([
      ['listInventory', 'STREAM', 310_000],
      ['updateInventory', undefined, undefined],
    ]);
  });

  test('responds by itself, without a key, where no operation is', () => {
    const mocks = Object.values(of('AWS::ApiGateway::Method')).filter(
      ({ Properties }) => Properties.HttpMethod === 'ANY',
    );
    const pathPart = ({ ResourceId }: Record<string, unknown>) => {
      const { Ref = '' } = ResourceId as { Ref?: string };
      return template.Resources[Ref]?.Properties.PathPart ?? '';
    };
    const fallbacks = mocks.map(({ Properties }) => {
      const { Type, PassthroughBehavior, RequestTemplates, IntegrationResponses } = Properties.Integration as Mock;
      expect([Type, PassthroughBehavior, Properties.AuthorizationType]).toEqual(['MOCK', 'NEVER', 'NONE']);
      const [{ StatusCode, ResponseParameters, ResponseTemplates } = {}, ...others] = IntegrationResponses;
      expect(others).toEqual([]);
      expect(new Set(Object.values(RequestTemplates))).toEqual(new Set([`{"statusCode": ${StatusCode}}`]));
      // A header that the method response does not declare fails the deployment.
      const declared = Object.fromEntries(Object.keys(ResponseParameters ?? {}).map((name) => [name, true]));
      expect(Properties.MethodResponses).toEqual([{ StatusCode, ResponseParameters: declared }]);
      const { code, status } = JSON.parse(ResponseTemplates?.['application/json'] ?? '');
      const allow = ResponseParameters?.['method.response.header.Allow'];
      return [pathPart(Properties), StatusCode, status, code, allow];
    });
    expect(fallbacks.sort()).toEqual([
      ['', '404', 404, 'path_not_found', undefined],
      ['inventory', '405', 405, 'method_not_allowed', "'GET'"],
      ['v1', '404', 404, 'path_not_found', undefined],
      ['{petId}', '405', 405, 'method_not_allowed', "'PATCH'"],
      ['{proxy+}', '404', 404, 'path_not_found', undefined],
    ]);
  });

  test('logs every request, nothing of its key, and limits each method', () => {
    const { AccessLogSetting, MethodSettings, TracingEnabled } = only('AWS::ApiGateway::Stage') as {
      AccessLogSetting: { Format: string; DestinationArn: unknown };
      MethodSettings: object[];
      TracingEnabled: boolean;
    };
    const log = logicalId(template, 'AWS::Logs::LogGroup', 'ApiAccessLog');
    expect(JSON.stringify(AccessLogSetting.DestinationArn)).toContain(`:log-group:",{"Ref":"${log}"}`);
    // Each is in AWS's list of access-log variables.
    expect(JSON.parse(AccessLogSetting.Format)).toEqual({
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
      authorizerLatency: '$context.authorizer.latency',
      integrationLatency: '$context.integration.latency',
      integrationStatus: '$context.integration.status',
      timeToFirstContent: '$context.integration.timeToFirstContent',
      tlsVersion: '$context.tlsVersion',
    });
    expect(TracingEnabled).toBe(true);
    expect(MethodSettings).toEqual(
      [
        ['/*', '*', 2_000, 4_000],
        ['/~1v1~1inventory', 'GET', 50, 100],
      ].map(([ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit]) => ({
        ...{ ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit },
        DataTraceEnabled: false,
        MetricsEnabled: true,
      })),
    );
  });

  test('takes TLS 1.2 and later', () => {
    expect(only('AWS::ApiGateway::RestApi')).toMatchObject({
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    });
  });

  test('has every 4xx and 5xx of the gateway in the Error shape', () => {
    const responses = Object.values(of('AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => Properties);
    const headers: Record<number, object> = {
      401: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
      429: { 'gatewayresponse.header.Retry-After': "'1'" },
    };
    const rows = responses.map(({ ResponseType, StatusCode, ResponseTemplates, ResponseParameters }) => {
      const { code, status, message } = JSON.parse(
        (ResponseTemplates as Record<string, string>)['application/json'] ?? '',
      );
      expect(String(status)).toBe(StatusCode);
      expect(ResponseParameters).toEqual(headers[status]);
      if (status === 401) {
        expect(message).toBe(
          'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
        );
      }
      return `${ResponseType}: ${status} ${code}`;
    });
    expect(rows.sort()).toEqual([
      'ACCESS_DENIED: 401 unauthorized',
      'API_CONFIGURATION_ERROR: 500 internal_error',
      'AUTHORIZER_CONFIGURATION_ERROR: 500 internal_error',
      'AUTHORIZER_FAILURE: 500 internal_error',
      'BAD_REQUEST_BODY: 400 bad_request',
      'BAD_REQUEST_PARAMETERS: 400 bad_request',
      'DEFAULT_4XX: 400 bad_request',
      'DEFAULT_5XX: 502 bad_gateway',
      'EXPIRED_TOKEN: 401 unauthorized',
      'INTEGRATION_FAILURE: 502 bad_gateway',
      'INTEGRATION_TIMEOUT: 504 gateway_timeout',
      'INVALID_API_KEY: 401 unauthorized',
      'INVALID_SIGNATURE: 401 unauthorized',
      'MISSING_AUTHENTICATION_TOKEN: 404 path_not_found',
      'QUOTA_EXCEEDED: 429 too_many_requests',
      'REQUEST_TOO_LARGE: 413 request_too_large',
      'RESOURCE_NOT_FOUND: 404 path_not_found',
      'THROTTLED: 429 too_many_requests',
      'UNAUTHORIZED: 401 unauthorized',
      'UNSUPPORTED_MEDIA_TYPE: 404 path_not_found',
      'WAF_FILTERED: 403 forbidden',
    ]);
  });
});
