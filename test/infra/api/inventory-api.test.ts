import { describe, expect, test } from '@jest/globals';
import { stackOf } from '../../support/synthesized.ts';

/** How clients learn of it: the codes of the gateway's own responses, by response type. */
const codes = {
  unauthorized: ['ACCESS_DENIED', 'EXPIRED_TOKEN', 'INVALID_API_KEY', 'INVALID_SIGNATURE', 'UNAUTHORIZED'],
  forbidden: ['WAF_FILTERED'],
  path_not_found: ['MISSING_AUTHENTICATION_TOKEN', 'RESOURCE_NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE'],
  bad_request: ['BAD_REQUEST_BODY', 'BAD_REQUEST_PARAMETERS', 'DEFAULT_4XX'],
  request_too_large: ['REQUEST_TOO_LARGE'],
  too_many_requests: ['QUOTA_EXCEEDED', 'THROTTLED'],
  internal_error: ['API_CONFIGURATION_ERROR', 'AUTHORIZER_CONFIGURATION_ERROR', 'AUTHORIZER_FAILURE'],
  bad_gateway: ['DEFAULT_5XX', 'INTEGRATION_FAILURE'],
  gateway_timeout: ['INTEGRATION_TIMEOUT'],
};

describe.each(['staging', 'prod'])('the API of %s', (stageName) => {
  const { of, all } = stackOf(stageName);

  test('has its operations behind the authorizer; the list is streamed, and waited for longer than it may take', () => {
    const operation = (HttpMethod: string, invocation: string, more = {}) => ({
      HttpMethod,
      AuthorizationType: 'CUSTOM',
      AuthorizerId: '<ApiApiKeyAuthorizer>',
      Integration: {
        Type: 'AWS_PROXY',
        Uri: `arn:<AWS::Partition>:apigateway:<AWS::Region>:lambda:path/${invocation}`,
        ...more,
      },
    });
    const list = '2021-11-15/functions/<ListInventoryLive>/response-streaming-invocations';
    const update = '2015-03-31/functions/<UpdateInventoryLive>/invocations';
    // A content type that these do not know gets the gateway's own response.
    const mock = { Type: 'MOCK', PassthroughBehavior: 'NEVER' };
    const fallback = { HttpMethod: 'ANY', AuthorizationType: 'NONE', Integration: mock };
    const { Apiv1inventoryGET, Apiv1inventorypetIdPATCH, ...fallbacks } = of('AWS::ApiGateway::Method');
    expect([Apiv1inventoryGET, Apiv1inventorypetIdPATCH, ...Object.values(fallbacks)]).toMatchObject([
      operation('GET', list, { ResponseTransferMode: 'STREAM', TimeoutInMillis: 310_000 }),
      operation('PATCH', update),
      ...Array(5).fill(fallback),
    ]);
    expect(all('AWS::ApiGateway::Authorizer')).toMatchObject([
      {
        Type: 'TOKEN',
        IdentitySource: 'method.request.header.Authorization',
        IdentityValidationExpression: `^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_${stageName}_[0-9a-f]{48}$`,
        AuthorizerResultTtlInSeconds: 50,
        AuthorizerUri: expect.stringMatching(/:lambda:path\/2015-03-31\/functions\/<AuthorizerLive>\/invocations$/),
      },
    ]);
  });

  test('is regional, and takes TLS 1.2 and later', () => {
    expect(all('AWS::ApiGateway::RestApi')).toMatchObject([
      {
        EndpointConfiguration: { Types: ['REGIONAL'] },
        SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
        EndpointAccessMode: 'BASIC',
      },
    ]);
  });

  test('logs every request, nothing of its key, and limits each method', () => {
    const limits = (ResourcePath: string, HttpMethod: string, rate: number, burst: number) => ({
      ResourcePath,
      HttpMethod,
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
      DataTraceEnabled: false,
      MetricsEnabled: true,
    });
    const [{ AccessLogSetting, ...stage } = {}] = all('AWS::ApiGateway::Stage');
    const format = JSON.parse(AccessLogSetting.Format);
    expect(AccessLogSetting.DestinationArn).toMatch(/:log-group:<ApiAccessLog>$/);
    expect(stage).toMatchObject({
      MethodSettings: [limits('/*', '*', 2_000, 4_000), limits('/~1v1~1inventory', 'GET', 50, 100)],
      TracingEnabled: true,
    });
    // Each is in AWS's list of access-log variables.
    expect(Object.values(format).join(' ').replaceAll('$context.', '')).toBe(
      'requestTimeEpoch requestId extendedRequestId identity.sourceIp identity.userAgent httpMethod path resourcePath ' +
        'authorizer.keyId status error.responseType wafResponseCode responseLength responseLatency authorizer.latency ' +
        'integration.latency integration.status integration.timeToFirstContent tlsVersion',
    );
    const queries = all('AWS::Logs::QueryDefinition').filter(({ LogGroupNames: [log] }) => log === '<ApiAccessLog>');
    const words = queries.flatMap(({ QueryString }) => QueryString.match(/\b[a-z]\w+/gi) ?? []);
    const syntax =
      'timestamp fields filter stats count pct as p50 p99 by sort limit desc requests rejected throttled'.split(' ');
    expect(queries).toHaveLength(4);
    expect(words.filter((word) => !syntax.includes(word) && !(word in format))).toEqual([]);
  });

  test('has every 4xx and 5xx of the gateway in the Error shape', () => {
    const headers: Record<number, object> = {
      401: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
      429: { 'gatewayresponse.header.Retry-After': "'1'" },
    };
    const types: Record<string, string[]> = {};
    for (const response of all('AWS::ApiGateway::GatewayResponse')) {
      const { code, status } = JSON.parse(response.ResponseTemplates['application/json']);
      expect(response.StatusCode).toBe(String(status));
      expect(response.ResponseParameters).toEqual(headers[status]);
      types[code] = [...(types[code] ?? []), response.ResponseType].sort();
    }
    expect(types).toEqual(codes);
  });
});
