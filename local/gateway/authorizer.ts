import { FunctionError } from '../lambda/function-error.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import type { AuthorizerContext } from './integrations/integration.ts';
import { allowsInvocation, isPolicyDocument, type PolicyDocument } from './policy.ts';
import { GatewayResponseError } from './responses/gateway-response.ts';

/** The properties of an AWS::ApiGateway::Authorizer of type TOKEN. */
export interface AuthorizerProperties {
  Type: string;
  AuthorizerUri: string;
  AuthorizerResultTtlInSeconds?: number;
  IdentitySource: string;
  IdentityValidationExpression?: string;
}

/** API Gateway's default for how many seconds it caches a result. */
const defaultTtlSeconds = 300;

interface AuthorizerResult {
  principalId: string;
  policyDocument: PolicyDocument;
  context?: Record<string, string | number | boolean>;
}

export interface Authorizer {
  /**
   * Returns the context of a request that may invoke a method.
   * @throws GatewayResponseError the response to any other request
   */
  authorize(token: string | undefined, methodArn: string): Promise<AuthorizerContext>;
  flushCache(): void;
}

/**
 * Creates a TOKEN authorizer with its cache. As on AWS, the cache holds each token's policy, and
 * not the decision: every request is evaluated against the policy.
 */
export const tokenAuthorizer = (
  properties: AuthorizerProperties,
  lambda: LambdaFunction,
): Authorizer => {
  const validation = new RegExp(properties.IdentityValidationExpression ?? '');
  const ttlSeconds = properties.AuthorizerResultTtlInSeconds ?? defaultTtlSeconds;
  let currentCache = new Map<string, { result: AuthorizerResult; until: number }>();

  const resultFor = async (token: string, methodArn: string): Promise<AuthorizerResult> => {
    // A result that was requested before a flush must not be stored in the new cache.
    const cache = currentCache;
    const cached = cache.get(token);
    if (cached && Date.now() < cached.until) {
      return cached.result;
    }
    const result = await askFunction(lambda, token, methodArn);
    cache.set(token, { result, until: Date.now() + ttlSeconds * 1000 });
    return result;
  };

  return {
    authorize: async (token, methodArn) => {
      if (!token || !validation.test(token)) {
        throw new GatewayResponseError('UNAUTHORIZED');
      }
      const result = await resultFor(token, methodArn);
      if (!allowsInvocation(result.policyDocument, methodArn)) {
        throw new GatewayResponseError('ACCESS_DENIED');
      }
      return contextOf(result);
    },
    flushCache: () => {
      currentCache = new Map();
    },
  };
};

const askFunction = async (
  lambda: LambdaFunction,
  token: string,
  methodArn: string,
): Promise<AuthorizerResult> => {
  const event = { type: 'TOKEN', methodArn, authorizationToken: token };
  const result = await lambda.invoke(event).catch((cause) => {
    const isUnauthorized = cause instanceof FunctionError && cause.message === 'Unauthorized';
    const type = isUnauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR';
    throw new GatewayResponseError(type, { cause });
  });
  if (!isAuthorizerResult(result)) {
    throw new GatewayResponseError('AUTHORIZER_CONFIGURATION_ERROR');
  }
  return result;
};

/** Returns the values that the integration gets, all as strings. */
const contextOf = ({ principalId, context = {} }: AuthorizerResult): AuthorizerContext => {
  const values = Object.entries(context).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(values), principalId };
};

const isAuthorizerResult = (value: unknown): value is AuthorizerResult => {
  const { principalId, policyDocument, context = {} } = (value ?? {}) as Partial<AuthorizerResult>;
  const isScalar = (member: unknown) => ['string', 'number', 'boolean'].includes(typeof member);
  return (
    typeof principalId === 'string' &&
    isPolicyDocument(policyDocument) &&
    Object.values(context).every(isScalar)
  );
};
