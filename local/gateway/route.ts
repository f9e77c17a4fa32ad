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
    if (segment === undefined || (name && !greedy && segment === '')) {
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
