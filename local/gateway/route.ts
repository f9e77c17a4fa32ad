import type { IncomingMessage } from 'node:http';
import type { AccessRecord } from '../log/access-log.ts';
import type { Authorizer, AuthorizerContext } from './authorizer.ts';
import type { ApiResponse } from './gateway-response.ts';

/** A request as the gateway has parsed it. */
export interface GatewayRequest {
  message: IncomingMessage;
  /** Path as in the template, such as `/v1/inventory/{petId}`. */
  resourcePath: string;
  stageName: string;
  /** The path after the stage name, as the client sent it. */
  path: string;
  pathParameters: Record<string, string>;
  query: URLSearchParams;
  body: Buffer;
  /** Undefined if the method has no authorizer. */
  authorizer: AuthorizerContext | undefined;
  /** What is logged about the request. */
  record: AccessRecord;
}

/**
 * Returns the response to a request that was neither throttled nor denied.
 * @throws GatewayResponseError
 */
export type Integration = (request: GatewayRequest) => Promise<ApiResponse>;

/** A method of a resource, with its throttle, authorizer and integration. */
export interface Route {
  /** Path as in the template, such as `/v1/inventory/{petId}`. */
  resourcePath: string;
  /** Whether the throttle lets a request through. Each call counts as a request. */
  allowsRequest: () => boolean;
  authorizer: Authorizer | undefined;
  integrate: Integration;
}

export interface Resource {
  path: string;
  /** Routes by HTTP method; ANY serves the methods that have no route of their own. */
  methods: Map<string, Route>;
}

/**
 * Finds the route that serves a request, and its path parameters, still encoded as the client sent
 * them.
 */
export const findRoute = (
  resources: Resource[],
  httpMethod: string,
  path: string,
): { route: Route; pathParameters: Record<string, string> } => {
  // Only the most specific resource counts: a method that it lacks is not looked up on a less
  // specific one.
  const [best] = resources
    .flatMap((resource) => {
      const { pattern, rank } = matcherOf(resource.path);
      const match = pattern.exec(path.replace(/\/$/, ''));
      return match
        ? [{ methods: resource.methods, rank, pathParameters: { ...match.groups } }]
        : [];
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const route = best?.methods.get(httpMethod) ?? best?.methods.get('ANY');
  if (!best || !route) {
    // AWS would send a 403 that no API can customize, so this one has routes for all requests.
    throw new Error(`The API has no route for ${httpMethod} ${path}.`);
  }
  return { route, pathParameters: best.pathParameters };
};

/**
 * Returns a path's pattern and rank. Literal segments rank before parameters, of which API Gateway
 * lets a resource have only one.
 */
const matcherOf = (path: string): { pattern: RegExp; rank: string } => {
  const segments = path.split('/').map((segment) => {
    const [, name, greedy] = /^\{(.+?)(\+)?\}$/.exec(segment) ?? [];
    return name === undefined
      ? { rank: 0, source: RegExp.escape(segment) }
      : { rank: 1, source: `(?<${name}>${greedy ? '.+' : '[^/]+'})` };
  });
  return {
    pattern: new RegExp(`^${segments.map(({ source }) => source).join('/')}$`, 's'),
    rank: segments.map(({ rank }) => rank).join(''),
  };
};
