import { FunctionError } from '../lambda/function-error.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import type { AuthorizerContext } from './integrations/integration.ts';
import { matchesArn } from './invoke-permissions.ts';
import { GatewayResponseError } from './responses/gateway-response.ts';

/** The properties of an AWS::ApiGateway::Authorizer of type TOKEN. */
export interface AuthorizerProperties {
  Type: string;
  AuthorizerUri: string;
  AuthorizerResultTtlInSeconds?: number;
  IdentitySource: string;
  IdentityValidationExpression?: string;
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
}

interface AuthorizerResult {
  principalId: string;
  policyDocument: { Version?: string; Statement: Statement | Statement[] };
  context?: Record<string, string | number | boolean>;
}

export interface Authorizer {
  (token: string | undefined, methodArn: string): Promise<AuthorizerContext>;
  flushCache(): void;
}

/**
 * Creates a TOKEN authorizer with its cache. As on AWS, the cache holds each token's policy, and
 * not the decision: every request is evaluated against the policy.
 */
export const tokenAuthorizer = (
  properties: AuthorizerProperties,
  authorizer: LambdaFunction,
): Authorizer => {
  const {
    IdentityValidationExpression: expression,
    AuthorizerResultTtlInSeconds: ttlSeconds = 300,
  } = properties;
  const isValid = (token: string) => expression === undefined || new RegExp(expression).test(token);
  let currentCache = new Map<string, { result: AuthorizerResult; until: number }>();

  const resultFor = async (token: string, methodArn: string): Promise<AuthorizerResult> => {
    // A result that was requested before a flush must not be stored in the new cache.
    const cache = currentCache;
    const cached = cache.get(token);
    if (cached && Date.now() < cached.until) {
      return cached.result;
    }
    const result = await authorizer
      .invoke({ type: 'TOKEN', methodArn, authorizationToken: token })
      .catch((cause) => {
        const isUnauthorized = cause instanceof FunctionError && cause.message === 'Unauthorized';
        throw new GatewayResponseError(
          isUnauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR',
          { cause },
        );
      });
    if (!isAuthorizerResult(result)) {
      throw new GatewayResponseError('AUTHORIZER_CONFIGURATION_ERROR');
    }
    cache.set(token, { result, until: Date.now() + ttlSeconds * 1000 });
    return result;
  };

  const authorize = async (
    token: string | undefined,
    methodArn: string,
  ): Promise<AuthorizerContext> => {
    if (!token || !isValid(token)) {
      throw new GatewayResponseError('UNAUTHORIZED');
    }
    const { principalId, policyDocument, context } = await resultFor(token, methodArn);
    if (!allows([policyDocument.Statement].flat(), methodArn)) {
      throw new GatewayResponseError('ACCESS_DENIED');
    }
    const values = Object.entries(context ?? {}).map(([name, value]) => [name, String(value)]);
    return { ...Object.fromEntries(values), principalId };
  };
  const flushCache = () => {
    currentCache = new Map();
  };
  return Object.assign(authorize, { flushCache });
};

const allows = (statements: Statement[], methodArn: string): boolean => {
  const effects = statements
    .filter(({ Action }) =>
      [Action].flat().some((action) => matchesArn(action, 'execute-api:Invoke')),
    )
    .filter(({ Resource }) => [Resource].flat().some((resource) => matchesArn(resource, methodArn)))
    .map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
};

const isAuthorizerResult = (value: unknown): value is AuthorizerResult => {
  const { principalId, policyDocument, context = {} } = (value ?? {}) as Partial<AuthorizerResult>;
  const statements = [policyDocument?.Statement ?? []].flat();
  return (
    typeof principalId === 'string' &&
    ['2012-10-17', '2008-10-17', undefined].includes(policyDocument?.Version) &&
    statements.length > 0 &&
    statements.every(
      ({ Effect, Action, Resource }) => /^(Allow|Deny)$/.test(Effect) && Action && Resource,
    ) &&
    Object.values(context).every((member) =>
      ['string', 'number', 'boolean'].includes(typeof member),
    )
  );
};
