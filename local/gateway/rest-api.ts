import type { Template } from '../assembly/template.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { type Authorizer, type AuthorizerProperties, tokenAuthorizer } from './authorizer.ts';
import type { GatewayResponse } from './gateway-response.ts';
import { lambdaProxy, lambdaStreamingProxy } from './lambda-proxy.ts';
import { type MockProperties, mock } from './mock.ts';
import type { Integration, Resource, Route } from './route.ts';
import { type MethodSetting, methodThrottle } from './throttle.ts';

/** The API of a template. */
export interface RestApi {
  stageName: string;
  resources: Resource[];
  /** Format of an access log line, with `$context` variables. */
  accessLogFormat: string;
  /** The API's gateway responses by type. */
  gatewayResponses: Map<string, GatewayResponse>;
  flushAuthorizersCache: () => void;
}

interface StageProperties {
  StageName: string;
  AccessLogSetting: { Format: string };
  MethodSettings: MethodSetting[];
}

interface ResourceProperties {
  ParentId: string;
  PathPart: string;
}

interface MethodProperties {
  ResourceId: string;
  HttpMethod: string;
  AuthorizerId?: string;
  Integration: IntegrationProperties;
}

interface IntegrationProperties extends MockProperties {
  Type: string;
  Uri?: string;
  TimeoutInMillis?: number;
  ResponseTransferMode?: string;
}

/** API Gateway's default for how long an integration may take. */
const defaultTimeoutMs = 29_000;

/**
 * Reads the API of a template.
 * @param functions the functions by logical id
 * @throws Error if the local run cannot serve one of its methods
 */
export const readRestApi = (
  template: Template,
  functions: Map<string, LambdaFunction>,
): RestApi => {
  const [stage] = template.resources<StageProperties>('AWS::ApiGateway::Stage').values();
  if (stage === undefined) {
    throw new Error('The template has no API.');
  }
  const functionOf = functionFinder(template, functions);
  const authorizers = new Map(
    [...template.resources<AuthorizerProperties>('AWS::ApiGateway::Authorizer')].map(
      ([id, properties]) => [id, tokenAuthorizer(properties, functionOf(properties.AuthorizerUri))],
    ),
  );
  const responses = template.resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse');
  return {
    stageName: stage.StageName,
    resources: readResources(template, (method, resourcePath) =>
      routeOf({ method, resourcePath, stage, authorizers, functionOf }),
    ),
    accessLogFormat: stage.AccessLogSetting.Format,
    gatewayResponses: new Map(responses.values().map((each) => [each.ResponseType, each])),
    flushAuthorizersCache: () => authorizers.forEach((each) => void each.flushCache()),
  };
};

type FindFunction = (uri?: string) => LambdaFunction;

/** Finds the function behind the alias in a URI, `…:lambda:path/…/functions/<alias>/invocations`. */
const functionFinder = (
  template: Template,
  functions: Map<string, LambdaFunction>,
): FindFunction => {
  const aliases = template.resources<{ FunctionName: string }>('AWS::Lambda::Alias');
  return (uri = '') => {
    const [, alias = ''] = /\/functions\/(\w+)\//.exec(uri) ?? [];
    const lambda = functions.get(aliases.get(alias)?.FunctionName ?? '');
    if (lambda === undefined) {
      throw new Error(`The template has no function for ${uri}.`);
    }
    return lambda;
  };
};

/** Reads the resources, with the routes of each. The first is the root. */
const readResources = (
  template: Template,
  toRoute: (method: MethodProperties, resourcePath: string) => Route,
): Resource[] => {
  const resources = template.resources<ResourceProperties>('AWS::ApiGateway::Resource');
  const methods = template.resources<MethodProperties>('AWS::ApiGateway::Method');
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  const byPath = Map.groupBy(methods.values(), ({ ResourceId }) => pathOf(ResourceId));
  return Array.from(byPath, ([path, ofPath]) => ({
    path,
    methods: new Map(ofPath.map((method) => [method.HttpMethod, toRoute(method, path || '/')])),
  }));
};

interface RouteProps {
  method: MethodProperties;
  resourcePath: string;
  stage: StageProperties;
  /** The authorizers by logical id. */
  authorizers: Map<string, Authorizer>;
  functionOf: FindFunction;
}

const routeOf = ({ method, resourcePath, stage, ...props }: RouteProps): Route => {
  const { HttpMethod: httpMethod, AuthorizerId = '', Integration: properties } = method;
  return {
    resourcePath,
    allowsRequest: methodThrottle(stage.MethodSettings, { httpMethod, resourcePath }),
    authorizer: props.authorizers.get(AuthorizerId),
    integrate: integrationOf(properties, props.functionOf),
  };
};

const integrationOf = (
  properties: IntegrationProperties,
  functionOf: FindFunction,
): Integration => {
  const { Type, Uri, TimeoutInMillis = defaultTimeoutMs, ResponseTransferMode } = properties;
  if (Type === 'MOCK') {
    return mock(properties);
  }
  if (Type !== 'AWS_PROXY') {
    throw new Error(`The local run has no integration of type ${Type}.`);
  }
  const proxy = ResponseTransferMode === 'STREAM' ? lambdaStreamingProxy : lambdaProxy;
  return proxy(functionOf(Uri), TimeoutInMillis);
};
