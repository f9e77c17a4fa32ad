import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { NotInvokedError } from '../lambda/function-error.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { type AuthorizerProperties, tokenAuthorizer } from './authorizer.ts';
import type { Integration } from './integrations/integration.ts';
import { lambdaProxy } from './integrations/lambda-proxy.ts';
import { lambdaStreamingProxy } from './integrations/lambda-streaming-proxy.ts';
import { type MethodResponse, type MockProperties, mock } from './integrations/mock.ts';
import { invokePermissions } from './invoke-permissions.ts';
import type { GatewayResponse } from './responses/gateway-response.ts';
import type { Resource, Route } from './route.ts';
import served from './served-properties.json' with { type: 'json' };
import { type MethodSetting, methodThrottle } from './throttle.ts';

export interface RestApi {
  id: string;
  accountId: string;
  arn: string;
  stageName: string;
  resources: Resource[];
  /** Format of an access log line, with `$context` variables. */
  accessLogFormat: string;
  /** The customized gateway responses, by response type. */
  gatewayResponses: Map<string, GatewayResponse>;
  flushAuthorizersCache: () => void;
}

interface StageProperties {
  StageName: string;
  AccessLogSetting?: { Format: string };
  MethodSettings?: MethodSetting[];
}

interface MethodProperties {
  ResourceId: string;
  HttpMethod: string;
  AuthorizationType: string;
  AuthorizerId?: string;
  Integration: {
    Type: string;
    Uri?: string;
    TimeoutInMillis?: number;
    ResponseTransferMode?: string;
  } & MockProperties;
  MethodResponses?: MethodResponse[];
}

const one = <Value>(values: Iterable<Value>, what: string): Value => {
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) {
    throw new Error(
      `The local run serves stacks with one ${what}; this one has ${value ? others.length + 1 : 0}.`,
    );
  }
  return value;
};

/**
 * Throws on a property that is neither false nor in served-properties.json, the list of served or
 * irrelevant ones.
 */
const checkProperties = (kind: string, logicalId: string, properties: object): void => {
  const known = (served as Record<string, string[]>)[kind];
  for (const [name, value] of known ? Object.entries(properties) : []) {
    if (!known?.includes(name) && value !== false) {
      throw new Error(`The local run does not serve the ${name} of ${logicalId} (${kind}).`);
    }
    [value].flat().forEach((part) => void checkProperties(`${kind}.${name}`, logicalId, part));
  }
};

/**
 * Reads the stack's only REST API. Throws on anything in it, a function or a table that the local
 * run cannot serve.
 */
export const readRestApi = (
  stack: SynthesizedStack,
  functions: Map<string, LambdaFunction>,
): RestApi => {
  for (const type of Object.keys(served)) {
    stack
      .resources<object>(type)
      .forEach((properties, id) => void checkProperties(type, id, properties));
  }
  const [, stage] = one(stack.resources<StageProperties>('AWS::ApiGateway::Stage'), 'API stage');
  const [restApi] = one(stack.resources('AWS::ApiGateway::RestApi'), 'REST API');
  const isPermitted = invokePermissions(stack);
  const { accountId, region } = stack.account;
  const apiArn = `arn:aws:execute-api:${region}:${accountId}:${stack.ref(restApi)}`;

  /**
   * Returns the function that an invocation URI names. Its invocations fail if the source lacks
   * permission for it.
   */
  const functionOf = (uri = '', source: string): LambdaFunction => {
    const arn = /\/functions\/(.+)\/(?:response-streaming-)?invocations$/.exec(uri)?.[1] ?? uri;
    // The URI may name any alias.
    const lambda = functions.get(arn.replace(/(:function:[^:]+):.*/, '$1'));
    if (!lambda) {
      throw new Error(`The stack has no function ${arn}.`);
    }
    const reject = () => Promise.reject(new NotInvokedError(arn));
    return isPermitted(arn, `${apiArn}/${source}`)
      ? lambda
      : { ...lambda, invoke: reject, invokeStreaming: reject };
  };

  const authorizers = new Map(
    [...stack.resources<AuthorizerProperties>('AWS::ApiGateway::Authorizer')].map(
      ([id, properties]) => {
        if (
          properties.Type !== 'TOKEN' ||
          properties.IdentitySource !== 'method.request.header.Authorization'
        ) {
          throw new Error(
            `The local run serves TOKEN authorizers of the Authorization header; ${id} is another.`,
          );
        }
        return [
          id,
          tokenAuthorizer(properties, functionOf(properties.AuthorizerUri, `authorizers/${id}`)),
        ];
      },
    ),
  );

  const integrationOf = (method: MethodProperties, resourcePath: string): Integration => {
    const { Integration: properties, MethodResponses = [], HttpMethod } = method;
    const source = `${stage.StageName}/${HttpMethod}${resourcePath.replaceAll(/{.*?}/g, '*')}`;
    switch (properties.Type) {
      case 'AWS_PROXY': {
        const proxy =
          properties.ResponseTransferMode === 'STREAM' ? lambdaStreamingProxy : lambdaProxy;
        return proxy(functionOf(properties.Uri, source), properties.TimeoutInMillis ?? 29_000);
      }
      case 'MOCK':
        return mock(properties, MethodResponses);
      default:
        throw new Error(`The local run has no integration of type ${properties.Type}.`);
    }
  };

  const resources = stack.resources<{ ParentId: string; PathPart: string }>(
    'AWS::ApiGateway::Resource',
  );
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  const methods = [...stack.resources<MethodProperties>('AWS::ApiGateway::Method').values()];
  const routesOf = (resourceId: string): Map<string, Route> =>
    new Map(
      methods
        .filter((method) => method.ResourceId === resourceId)
        .map((method) => {
          const authorize = authorizers.get(method.AuthorizerId ?? '');
          if (method.AuthorizationType !== 'NONE' && !authorize) {
            throw new Error(
              `The local run has no authorization of type ${method.AuthorizationType}.`,
            );
          }
          const resourcePath = pathOf(resourceId) || '/';
          const integrate = integrationOf(method, resourcePath);
          const allowsRequest = methodThrottle(
            stage.MethodSettings ?? [],
            method.HttpMethod,
            resourcePath,
          );
          return [
            method.HttpMethod,
            { resourceId, resourcePath, allowsRequest, authorize, integrate },
          ];
        }),
    );

  const gatewayResponses = [
    ...stack.resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse').values(),
  ];
  return {
    id: stack.ref(restApi),
    accountId,
    arn: apiArn,
    stageName: stage.StageName,
    accessLogFormat: stage.AccessLogSetting?.Format ?? '',
    resources: [`${restApi}.RootResourceId`, ...resources.keys()].map((id) => ({
      path: pathOf(id),
      methods: routesOf(id),
    })),
    gatewayResponses: new Map(
      gatewayResponses.map((response) => [response.ResponseType, response]),
    ),
    flushAuthorizersCache: () => authorizers.forEach((authorizer) => void authorizer.flushCache()),
  };
};
