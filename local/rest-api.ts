import { type Authorizer, type AuthorizerProperties, tokenAuthorizer } from './authorizer.ts';
import type { GatewayResponse } from './gateway-response.ts';
import type { LambdaFunction } from './lambda-function.ts';
import { type Integration, lambdaProxy } from './lambda-proxy.ts';
import { lambdaStreamingProxy } from './lambda-streaming-proxy.ts';
import type { SynthesizedStack } from './synthesized-stack.ts';

/** A method of a resource, with what serves it. */
export interface Route {
  restApiId: string;
  resourceId: string;
  /** As in the template: `/v1/inventory/{petId}`. */
  resourcePath: string;
  authorize: Authorizer | undefined;
  integrate: Integration;
}

export interface RestApi {
  stageName: string;
  /** Every resource, with its routes by HTTP method; ANY stands for the methods not named. */
  resources: { path: string; methods: Map<string, Route> }[];
  /** The customised ones, by response type. */
  gatewayResponses: Map<string, GatewayResponse>;
}

interface MethodProperties {
  RestApiId: string;
  ResourceId: string;
  HttpMethod: string;
  AuthorizationType: string;
  AuthorizerId?: string;
  Integration: { Type: string; Uri?: string; ResponseTransferMode?: string };
}

const one = <Value>(values: Iterable<Value>, what: string): Value => {
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) {
    throw new Error(`The local run serves stacks with one ${what}; this one has ${value ? others.length + 1 : 0}.`);
  }
  return value;
};

/** Reads the one REST API of the stack. Whatever it has that the local run cannot serve is an error. */
export const readRestApi = (stack: SynthesizedStack, functions: Map<string, LambdaFunction>): RestApi => {
  const functionOf = (uri = ''): LambdaFunction => {
    const arn = /\/functions\/(.+)\/(?:response-streaming-)?invocations$/.exec(uri)?.[1] ?? uri;
    const lambda = functions.get(arn);
    if (!lambda) {
      throw new Error(`The stack has no function ${arn}.`);
    }
    return lambda;
  };

  const authorizers = new Map(
    [...stack.resources<AuthorizerProperties>('AWS::ApiGateway::Authorizer')].map(([id, properties]) => {
      if (properties.Type !== 'TOKEN' || properties.IdentitySource !== 'method.request.header.Authorization') {
        throw new Error(`The local run serves TOKEN authorizers of the Authorization header; ${id} is another.`);
      }
      return [id, tokenAuthorizer(properties, functionOf(properties.AuthorizerUri))];
    }),
  );

  const integrationOf = ({ Type, Uri, ResponseTransferMode }: MethodProperties['Integration']): Integration => {
    if (Type !== 'AWS_PROXY') {
      throw new Error(`The local run has no integration of type ${Type}.`);
    }
    const proxy = ResponseTransferMode === 'STREAM' ? lambdaStreamingProxy : lambdaProxy;
    return proxy(functionOf(Uri));
  };

  const [restApi] = one(stack.resources('AWS::ApiGateway::RestApi'), 'REST API');
  const resources = stack.resources<{ ParentId: string; PathPart: string }>('AWS::ApiGateway::Resource');
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
            throw new Error(`The local run has no authorization of type ${method.AuthorizationType}.`);
          }
          const integrate = integrationOf(method.Integration);
          const resourcePath = pathOf(resourceId) || '/';
          return [method.HttpMethod, { restApiId: method.RestApiId, resourceId, resourcePath, authorize, integrate }];
        }),
    );

  const [, stage] = one(stack.resources<{ StageName: string }>('AWS::ApiGateway::Stage'), 'API stage');
  const gatewayResponses = [...stack.resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse').values()];
  return {
    stageName: stage.StageName,
    resources: [`${restApi}.RootResourceId`, ...resources.keys()].map((id) => ({
      path: pathOf(id),
      methods: routesOf(id),
    })),
    gatewayResponses: new Map(gatewayResponses.map((response) => [response.ResponseType, response])),
  };
};

/** The route that serves a request, with its path parameters as the client wrote them. */
export const findRoute = (
  { resources }: RestApi,
  httpMethod: string,
  path: string,
): { route: Route; pathParameters: Record<string, string> } | undefined => {
  const segments = segmentsOf(path);
  // The resource is chosen first; a method that it lacks is not looked for on a less specific one.
  const [best] = resources
    .flatMap((resource) => {
      const match = matchPath(segmentsOf(resource.path), segments);
      return match ? [{ resource, ...match }] : [];
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const route = best?.resource.methods.get(httpMethod) ?? best?.resource.methods.get('ANY');
  return best && route && { route, pathParameters: best.pathParameters };
};

const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

/** Ranks a match so that a literal segment sorts before a parameter, and that before a greedy one. */
const matchPath = (pattern: string[], segments: string[]) => {
  const pathParameters: Record<string, string> = {};
  let rank = '';
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i];
    const [, name, greedy] = /^\{(.+?)(\+)?\}$/.exec(part) ?? [];
    if (segment === undefined || (name && segment === '')) {
      return undefined;
    }
    if (name && greedy) {
      pathParameters[name] = segments.slice(i).join('/');
      return { rank: `${rank}2`, pathParameters };
    }
    if (name) {
      pathParameters[name] = segment;
    } else if (part !== segment) {
      return undefined;
    }
    rank += name ? '1' : '0';
  }
  return pattern.length === segments.length ? { rank, pathParameters } : undefined;
};
