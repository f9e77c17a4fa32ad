import type { SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { type Authorizer, type AuthorizerProperties, tokenAuthorizer } from './authorizer.ts';
import type { FindFunction } from './invoked-functions.ts';

/**
 * Reads the stack's authorizers, by logical id.
 * @throws Error if one is no TOKEN authorizer of the Authorization header
 */
export const readAuthorizers = (
  stack: SynthesizedStack,
  findFunction: FindFunction,
): Map<string, Authorizer> => {
  const authorizers = stack.resources<AuthorizerProperties>('AWS::ApiGateway::Authorizer');
  return new Map(
    [...authorizers].map(([id, properties]) => {
      if (!isServed(properties)) {
        throw new Error(
          `The local run serves TOKEN authorizers of the Authorization header; ${id} is another.`,
        );
      }
      const lambda = findFunction(properties.AuthorizerUri, `authorizers/${id}`);
      return [id, tokenAuthorizer(properties, lambda)];
    }),
  );
};

const isServed = ({ Type, IdentitySource }: AuthorizerProperties): boolean =>
  Type === 'TOKEN' && IdentitySource === 'method.request.header.Authorization';
