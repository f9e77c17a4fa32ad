import { describe, expect, test } from '@jest/globals';
import { logicalId, resourcesOf, templates } from '../support/synthesized.ts';

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

test('there is a stack for staging and one for prod', () => {
  expect(Object.keys(templates).sort()).toEqual(['prod', 'staging']);
});

describe.each([
  ['staging', { deletionPolicy: 'Delete', protectedAndRecoverable: false, ceiling: undefined }],
  ['prod', { deletionPolicy: 'Retain', protectedAndRecoverable: true, ceiling: { read: 40_000, write: 4_000 } }],
])('the stack of %s', (stageName, { deletionPolicy, protectedAndRecoverable, ceiling }) => {
  const template = templates[stageName] ?? { Resources: {}, Outputs: {} };
  const of = (type: string) => resourcesOf(template, type);
  const id = (type: string, constructId: string) => logicalId(template, type, constructId);
  const arn = (resource: string) => ({ 'Fn::GetAtt': [resource, 'Arn'] });
  const tables = {
    inventory: id('AWS::DynamoDB::GlobalTable', 'InventoryTable'),
    apiKeys: id('AWS::DynamoDB::GlobalTable', 'ApiKeysTable'),
  };
  const api = id('AWS::ApiGateway::RestApi', 'Api');

  test.each([
    ['inventory', tables.inventory, 'petId', 'N'],
    ['API keys', tables.apiKeys, 'keyHash', 'S'],
  ])('keeps the %s in a table with a partition key alone', (_what, table, name, type) => {
    expect(template.Resources[table]).toMatchObject({
      DeletionPolicy: deletionPolicy,
      UpdateReplacePolicy: deletionPolicy,
    });
    expect(template.Resources[table]?.Properties).toEqual({
      AttributeDefinitions: [{ AttributeName: name, AttributeType: type }],
      KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      Replicas: [
        {
          Region: { Ref: 'AWS::Region' },
          DeletionProtectionEnabled: protectedAndRecoverable,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: protectedAndRecoverable },
          ...(ceiling && { ReadOnDemandThroughputSettings: { MaxReadRequestUnits: ceiling.read } }),
        },
      ],
      ...(ceiling && { WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: ceiling.write } }),
    });
  });

  test.each([
    ['Authorizer', 'dynamodb:GetItem', tables.apiKeys],
    ['ListInventory', 'dynamodb:Scan', tables.inventory],
    ['UpdateInventory', 'dynamodb:UpdateItem', tables.inventory],
  ])('lets %s write its logs and traces and do %s on one table, and nothing else', (name, action, table) => {
    const role = id('AWS::IAM::Role', `${name}Role`);
    const policies = Object.values(of('AWS::IAM::Policy')).filter(({ Properties }) =>
      (Properties.Roles as { Ref: string }[]).some(({ Ref }) => Ref === role),
    );

    expect(template.Resources[id('AWS::Lambda::Function', name)]?.Properties.Role).toEqual(arn(role));
    expect(template.Resources[role]?.Properties).toEqual({
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
      },
    });
    expect(policies.map(({ Properties }) => Properties.PolicyDocument)).toEqual([
      {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            Resource: arn(id('AWS::Logs::LogGroup', `${name}Logs`)),
          },
          { Effect: 'Allow', Action: action, Resource: arn(table) },
          { Effect: 'Allow', Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'], Resource: '*' },
        ],
      },
    ]);
  });

  test.each([
    ['Authorizer', 10, { STAGE_NAME: stageName, API_KEYS_TABLE_NAME: { Ref: tables.apiKeys } }],
    [
      'ListInventory',
      300,
      {
        STAGE_NAME: stageName,
        INVENTORY_TABLE_NAME: { Ref: tables.inventory },
        NODE_OPTIONS: '--max-semi-space-size=16',
      },
    ],
    ['UpdateInventory', 10, { STAGE_NAME: stageName, INVENTORY_TABLE_NAME: { Ref: tables.inventory } }],
  ])('runs %s on Node 24, for at most %d s, with its table by name', (name, timeout, environment) => {
    const dynamodb = ['https://dynamodb.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }];
    expect(template.Resources[id('AWS::Lambda::Function', name)]?.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
      Timeout: timeout,
      Environment: { Variables: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: { 'Fn::Join': ['', dynamodb] } } },
    });
    expect(Object.keys(of('AWS::Lambda::Function'))).toHaveLength(3);
  });

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
      AuthorizerResultTtlInSeconds: 60,
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

  test('answers by itself, without a key, what no operation serves', () => {
    const mocks = Object.values(of('AWS::ApiGateway::Method')).filter(
      ({ Properties }) => Properties.HttpMethod === 'ANY',
    );
    const pathPart = ({ ResourceId }: Record<string, unknown>) => {
      const { Ref = '' } = ResourceId as { Ref?: string };
      return template.Resources[Ref]?.Properties.PathPart ?? '';
    };
    const answers = mocks.map(({ Properties }) => {
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
    expect(answers.sort()).toEqual([
      ['', '404', 404, 'path_not_found', undefined],
      ['inventory', '405', 405, 'method_not_allowed', "'GET'"],
      ['v1', '404', 404, 'path_not_found', undefined],
      ['{petId}', '405', 405, 'method_not_allowed', "'PATCH'"],
      ['{proxy+}', '404', 404, 'path_not_found', undefined],
    ]);
  });

  test('outputs the base URL and what operators need to know', () => {
    const [stage] = Object.keys(of('AWS::ApiGateway::Stage'));
    expect(template.Outputs).toEqual({
      BaseUrl: {
        Value: {
          'Fn::Join': [
            '',
            [
              'https://',
              { Ref: api },
              '.execute-api.',
              { Ref: 'AWS::Region' },
              '.',
              { Ref: 'AWS::URLSuffix' },
              '/',
              { Ref: stage },
              '/v1',
            ],
          ],
        },
      },
      RestApiId: { Value: { Ref: api } },
      InventoryTableName: { Value: { Ref: tables.inventory } },
      ApiKeysTableName: { Value: { Ref: tables.apiKeys } },
    });
  });

  test('fixes no physical name, so that stages and copies do not collide', () => {
    const names: Record<string, string> = {
      'AWS::DynamoDB::GlobalTable': 'TableName',
      'AWS::Lambda::Function': 'FunctionName',
      'AWS::IAM::Role': 'RoleName',
      'AWS::Logs::LogGroup': 'LogGroupName',
    };
    const fixed = Object.entries(template.Resources).filter(
      ([, { Type, Properties }]) => names[Type] && Properties[names[Type]],
    );
    expect(fixed).toEqual([]);
  });

  test('answers every 4xx and 5xx of the gateway in the Error shape', () => {
    const responses = Object.values(of('AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => Properties);
    const answers = responses.map(({ ResponseType, StatusCode, ResponseTemplates, ResponseParameters }) => {
      const { code, status } = JSON.parse((ResponseTemplates as Record<string, string>)['application/json'] ?? '');
      expect(String(status)).toBe(StatusCode);
      const parameters = ResponseParameters as Record<string, string> | undefined;
      expect(parameters).toEqual(
        status === 401 ? { 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" } : undefined,
      );
      return `${ResponseType}: ${status} ${code}`;
    });
    expect(answers.sort()).toEqual([
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
