import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';

/**
 * The properties of each type of resource that the local run serves, or that make no difference to
 * it. A property that holds an object or a list of objects may have a type of its own.
 */
export const servedProperties: Record<string, string[]> = {
  'AWS::ApiGateway::Authorizer': [
    'AuthorizerResultTtlInSeconds',
    'AuthorizerUri',
    'IdentitySource',
    'IdentityValidationExpression',
    'Name',
    'RestApiId',
    'Type',
  ],
  'AWS::ApiGateway::GatewayResponse': [
    'ResponseParameters',
    'ResponseTemplates',
    'ResponseType',
    'RestApiId',
    'StatusCode',
  ],
  'AWS::ApiGateway::Method': [
    'AuthorizationType',
    'AuthorizerId',
    'HttpMethod',
    'Integration',
    'MethodResponses',
    'OperationName',
    'ResourceId',
    'RestApiId',
  ],
  'AWS::ApiGateway::Method.Integration': [
    'IntegrationHttpMethod',
    'IntegrationResponses',
    'PassthroughBehavior',
    'RequestTemplates',
    'ResponseTransferMode',
    'TimeoutInMillis',
    'Type',
    'Uri',
  ],
  'AWS::ApiGateway::Method.Integration.IntegrationResponses': [
    'ResponseParameters',
    'ResponseTemplates',
    'StatusCode',
  ],
  'AWS::ApiGateway::Resource': ['ParentId', 'PathPart', 'RestApiId'],
  'AWS::ApiGateway::RestApi': [
    'Description',
    'EndpointAccessMode',
    'EndpointConfiguration',
    'Name',
    'SecurityPolicy',
  ],
  'AWS::ApiGateway::Stage': [
    'AccessLogSetting',
    'DeploymentId',
    'MethodSettings',
    'RestApiId',
    'StageName',
    'TracingEnabled',
  ],
  'AWS::ApiGateway::Stage.MethodSettings': [
    'DataTraceEnabled',
    'HttpMethod',
    'MetricsEnabled',
    'ResourcePath',
    'ThrottlingBurstLimit',
    'ThrottlingRateLimit',
  ],
  'AWS::DynamoDB::GlobalTable': [
    'AttributeDefinitions',
    'BillingMode',
    'KeySchema',
    'Replicas',
    'StreamSpecification',
    'WarmThroughput',
    'WriteOnDemandThroughputSettings',
  ],
  'AWS::Lambda::Function': [
    'Architectures',
    'Code',
    'Description',
    'Environment',
    'Handler',
    'LoggingConfig',
    'MemorySize',
    'ReservedConcurrentExecutions',
    'Role',
    'Runtime',
    'Timeout',
    'TracingConfig',
  ],
  'AWS::Lambda::Permission': ['Action', 'FunctionName', 'Principal', 'SourceArn'],
};

/**
 * Checks that the local run serves each property of the stack's API, functions and tables, unless
 * the property is false.
 * @throws Error that names the property and the resource
 */
export const checkProperties = (stack: SynthesizedStack): void => {
  for (const type of Object.keys(servedProperties)) {
    for (const [logicalId, properties] of stack.resources<object>(type)) {
      checkObject(type, logicalId, properties);
    }
  }
};

const checkObject = (type: string, logicalId: string, properties: object): void => {
  const served = servedProperties[type];
  if (!served) {
    return;
  }
  for (const [name, value] of Object.entries(properties)) {
    if (!served.includes(name) && value !== false) {
      throw new Error(`The local run does not serve the ${name} of ${logicalId} (${type}).`);
    }
    for (const part of [value].flat()) {
      checkObject(`${type}.${name}`, logicalId, part);
    }
  }
};
