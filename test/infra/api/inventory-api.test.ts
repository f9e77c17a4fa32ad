import { describe, expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';

/** The types of the gateway's own responses by the code that clients receive. */
const codes = {
  unauthorized: 'ACCESS_DENIED EXPIRED_TOKEN INVALID_API_KEY INVALID_SIGNATURE UNAUTHORIZED',
  forbidden: 'WAF_FILTERED',
  path_not_found: 'MISSING_AUTHENTICATION_TOKEN RESOURCE_NOT_FOUND UNSUPPORTED_MEDIA_TYPE',
  bad_request: 'DEFAULT_4XX',
  request_too_large: 'REQUEST_TOO_LARGE',
  too_many_requests: 'QUOTA_EXCEEDED THROTTLED',
  internal_error:
    'API_CONFIGURATION_ERROR AUTHORIZER_CONFIGURATION_ERROR AUTHORIZER_FAILURE INTEGRATION_FAILURE',
  bad_gateway: 'DEFAULT_5XX',
  gateway_timeout: 'INTEGRATION_TIMEOUT',
};

describe.each(['staging', 'prod'])('the API of %s', (stageName) => {
  const { of, all } = stackOf(stageName);

  // test/system/acceptance tests what the operations and the fallback routes respond, with and
  // without a key.
  test('invokes the live aliases, streams the list, and waits for it longer than it may take', () => {
    const { Apiv1inventoryGET, Apiv1inventorypetIdPATCH, ...fallbacks } =
      of('AWS::ApiGateway::Method');
    const live = (name: string, path = 'invocations') =>
      expect.stringMatching(`/functions/<${name}Live>/${path}$`);
    const streamed = live('ListInventory', 'response-streaming-invocations');
    const list = { Uri: streamed, ResponseTransferMode: 'STREAM', TimeoutInMillis: 70_000 };
    expect(Apiv1inventoryGET.Integration).toMatchObject(list);
    expect(Apiv1inventorypetIdPATCH.Integration).toMatchObject({ Uri: live('UpdateInventory') });
    // A content type for which a mock has no template gets the gateway's own response.
    const own = {
      AuthorizationType: 'NONE',
      Integration: { Type: 'MOCK', PassthroughBehavior: 'NEVER' },
    };
    expect(Object.values(fallbacks)).toMatchObject([own, own, own, own, own]);
    expect(all('AWS::ApiGateway::Authorizer')).toMatchObject([
      {
        AuthorizerUri: live('Authorizer'),
        IdentityValidationExpression: `^[Bb][Ee][Aa][Rr][Ee][Rr] +petstore_${stageName}_[0-9a-f]{48}$`,
        AuthorizerResultTtlInSeconds: 50,
      },
    ]);
  });

  test('is regional, and accepts TLS 1.2 and later', () => {
    expect(all('AWS::ApiGateway::RestApi')).toMatchObject([
      {
        EndpointConfiguration: { Types: ['REGIONAL'] },
        SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
        EndpointAccessMode: 'BASIC',
      },
    ]);
  });

  test('logs every request without its key, and limits each method', () => {
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
    // AWS's list of access-log variables has each of these.
    expect(Object.values(format).join(' ').replaceAll('$context.', '')).toBe(
      'requestTimeEpoch requestId extendedRequestId identity.sourceIp identity.userAgent httpMethod path resourcePath ' +
        'authorizer.keyId status error.responseType wafResponseCode responseLength responseLatency authorizer.latency ' +
        'integration.latency integration.status integration.timeToFirstContent tlsVersion',
    );
    const queries = all('AWS::Logs::QueryDefinition').filter(
      ({ LogGroupNames: [log] }) => log === '<ApiAccessLog>',
    );
    const words = queries.flatMap(({ QueryString }) => QueryString.match(/\b[a-z]\w+/gi) ?? []);
    const syntax =
      'timestamp fields filter stats count pct as p50 p99 by sort limit desc requests rejected throttled'.split(
        ' ',
      );
    expect(queries).toHaveLength(4);
    expect(words.filter((word) => !syntax.includes(word) && !(word in format))).toEqual([]);
  });

  test("gives all of the gateway's own 4xx and 5xx responses the Error shape", () => {
    const headers: Record<number, object> = {
      401: { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" },
      429: { 'gatewayresponse.header.Retry-After': "'1'" },
    };
    const types: Record<string, string> = {};
    const responses = all('AWS::ApiGateway::GatewayResponse').map(
      (each) => [each.ResponseType, each] as const,
    );
    for (const [type, response] of responses.sort()) {
      const { code, status } = JSON.parse(response.ResponseTemplates['application/json']);
      expect([response.StatusCode, response.ResponseParameters]).toEqual([
        String(status),
        headers[status],
      ]);
      types[code] = types[code] ? `${types[code]} ${type}` : type;
    }
    expect(types).toEqual(codes);
  });
});
