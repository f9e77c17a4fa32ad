import type { Authorizer } from './authorizer.ts';
import type { Integration } from './integrations/integration.ts';

/** A method of a resource, with its throttle, authorizer and integration. */
export interface Route {
  resourceId: string;
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
): { route: Route; pathParameters: Record<string, string> } | undefined => {
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
  return best && route && { route, pathParameters: best.pathParameters };
};

/**
 * Returns a path's pattern and rank. Literal segments rank first, then parameters, then greedy
 * parameters.
 */
const matcherOf = (path: string): { pattern: RegExp; rank: string } => {
  const segments = path.split('/').map((segment) => {
    const [, name, greedy] = /^\{(.+?)(\+)?\}$/.exec(segment) ?? [];
    return name === undefined
      ? { rank: 0, source: RegExp.escape(segment) }
      : { rank: greedy ? 2 : 1, source: `(?<${name}>${greedy ? '.+' : '[^/]+'})` };
  });
  return {
    pattern: new RegExp(`^${segments.map(({ source }) => source).join('/')}$`, 's'),
    rank: segments.map(({ rank }) => rank).join(''),
  };
};
