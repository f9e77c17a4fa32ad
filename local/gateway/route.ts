import type { Authorizer } from './authorizer.ts';
import type { Integration } from './integrations/integration.ts';

/** A method of a resource, with what serves it. */
export interface Route {
  resourceId: string;
  /** As in the template: `/v1/inventory/{petId}`. */
  resourcePath: string;
  /** Whether its throttling lets one more request through. */
  allowsRequest: () => boolean;
  authorize: Authorizer | undefined;
  integrate: Integration;
}

export interface Resource {
  path: string;
  /** By HTTP method; ANY stands for the methods not named. */
  methods: Map<string, Route>;
}

/** The route that serves a request, with its path parameters as the client wrote them. */
export const findRoute = (
  resources: Resource[],
  httpMethod: string,
  path: string,
): { route: Route; pathParameters: Record<string, string> } | undefined => {
  // The resource is chosen first; a method that it lacks is not looked for on a less specific one.
  const [best] = resources
    .flatMap((resource) => {
      const { pattern, rank } = matcherOf(resource.path);
      const match = pattern.exec(path.replace(/\/$/, ''));
      return match ? [{ methods: resource.methods, rank, pathParameters: { ...match.groups } }] : [];
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const route = best?.methods.get(httpMethod) ?? best?.methods.get('ANY');
  return best && route && { route, pathParameters: best.pathParameters };
};

/** A literal segment ranks before a parameter, and that before a greedy one. */
const matcherOf = (path: string): { pattern: RegExp; rank: string } => {
  const segments = path.split('/').map((segment) => {
    const [, name, greedy] = /^\{(\w+)(\+)?\}$/.exec(segment) ?? [];
    return name === undefined
      ? { rank: 0, source: RegExp.escape(segment) }
      : { rank: greedy ? 2 : 1, source: `(?<${name}>${greedy ? '.+' : '[^/]+'})` };
  });
  return {
    pattern: new RegExp(`^${segments.map(({ source }) => source).join('/')}$`, 's'),
    rank: segments.map(({ rank }) => rank).join(''),
  };
};
