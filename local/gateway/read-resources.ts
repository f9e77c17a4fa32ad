import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import type { Authorizer } from './authorizer.ts';
import type { MethodResponse } from './integrations/mock.ts';
import type { FindFunction } from './invoked-functions.ts';
import { type IntegrationProperties, readIntegration } from './read-integration.ts';
import type { Resource, Route } from './route.ts';
import { type MethodSetting, methodThrottle } from './throttle.ts';

interface ResourceProperties {
  ParentId: string;
  PathPart: string;
}

interface MethodProperties {
  ResourceId: string;
  HttpMethod: string;
  AuthorizationType: string;
  AuthorizerId?: string;
  Integration: IntegrationProperties;
  MethodResponses?: MethodResponse[];
}

interface ResourcesProps {
  stack: SynthesizedStack;
  /** The id of the API's root, the parent of its first resources. */
  rootResourceId: string;
  stageName: string;
  methodSettings: MethodSetting[];
  /** The authorizers by logical id. */
  authorizers: Map<string, Authorizer>;
  findFunction: FindFunction;
  /** Whether an integration may take only as long as on AWS. */
  hasTimeLimits: boolean;
}

/**
 * Reads the API's resources, and the routes of each.
 * @throws Error if the local run does not serve one of them
 */
export const readResources = (props: ResourcesProps): Resource[] => {
  const { stack, rootResourceId } = props;
  const resources = stack.resources<ResourceProperties>('AWS::ApiGateway::Resource');
  const methods = stack.resources<MethodProperties>('AWS::ApiGateway::Method');
  const methodsByResource = Map.groupBy(methods.values(), ({ ResourceId }) => ResourceId);

  const pathOf = (resourceId: string): string => {
    const resource = resources.get(resourceId);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  const routesOf = (resourceId: string): Map<string, Route> => {
    const ofResource = methodsByResource.get(resourceId) ?? [];
    const resourcePath = pathOf(resourceId) || '/';
    return new Map(
      ofResource.map((method) => [method.HttpMethod, readRoute(props, method, resourcePath)]),
    );
  };
  return [rootResourceId, ...resources.keys()].map((resourceId) => ({
    path: pathOf(resourceId),
    methods: routesOf(resourceId),
  }));
};

const readRoute = (
  props: ResourcesProps,
  method: MethodProperties,
  resourcePath: string,
): Route => {
  const { stageName, methodSettings, findFunction, hasTimeLimits } = props;
  const httpMethod = method.HttpMethod;
  // In the ARN of a method, each path parameter is an asterisk.
  const pathInArn = resourcePath.replaceAll(/{.*?}/g, '*');
  return {
    resourceId: method.ResourceId,
    resourcePath,
    allowsRequest: methodThrottle(methodSettings, { httpMethod, resourcePath }),
    authorizer: authorizerOf(props, method),
    integrate: readIntegration({
      properties: method.Integration,
      methodResponses: method.MethodResponses ?? [],
      source: `${stageName}/${httpMethod}${pathInArn}`,
      findFunction,
      hasTimeLimits,
    }),
  };
};

const authorizerOf = (
  { authorizers }: ResourcesProps,
  { AuthorizationType, AuthorizerId = '' }: MethodProperties,
): Authorizer | undefined => {
  const authorizer = authorizers.get(AuthorizerId);
  if (AuthorizationType !== 'NONE' && !authorizer) {
    throw new Error(`The local run has no authorization of type ${AuthorizationType}.`);
  }
  return authorizer;
};
