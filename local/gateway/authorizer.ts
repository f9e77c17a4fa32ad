import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { GatewayResponseError } from './gateway-response.ts';

/** The properties of an AWS::ApiGateway::Authorizer of type TOKEN. */
export interface AuthorizerProperties {
  AuthorizerUri: string;
  AuthorizerResultTtlInSeconds: number;
  IdentityValidationExpression: string;
}

/** A policy as our authorizer writes it: of one statement, for the whole stage. */
interface Policy {
  Statement: [{ Effect: 'Allow' | 'Deny'; Resource: string }];
}

/** What the authorizer's function returns. */
interface AuthorizerResult {
  principalId: string;
  policyDocument: Policy;
  context: Record<string, string | number | boolean>;
}

/** The authorizer's values for an allowed request, `requestContext.authorizer` in its event. */
export type AuthorizerContext = Record<string, string>;

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
  const validation = new RegExp(properties.IdentityValidationExpression);
  let currentCache = new Map<string, { result: AuthorizerResult; until: number }>();

  const resultFor = async (token: string, methodArn: string): Promise<AuthorizerResult> => {
    // A result that was requested before a flush must not be stored in the new cache.
    const cache = currentCache;
    const cached = cache.get(token);
    if (cached && Date.now() < cached.until) {
      return cached.result;
    }
    const event = { type: 'TOKEN', methodArn, authorizationToken: token };
    const result = (await lambda.invoke(event)) as AuthorizerResult;
    const until = Date.now() + properties.AuthorizerResultTtlInSeconds * 1000;
    cache.set(token, { result, until });
    return result;
  };

  return {
    authorize: async (token, methodArn) => {
      if (!token || !validation.test(token)) {
        throw new GatewayResponseError('UNAUTHORIZED');
      }
      const result = await resultFor(token, methodArn).catch((cause) => {
        throw new GatewayResponseError('AUTHORIZER_CONFIGURATION_ERROR', { cause });
      });
      if (!allows(result.policyDocument, methodArn)) {
        throw new GatewayResponseError('ACCESS_DENIED');
      }
      return contextOf(result);
    },
    flushCache: () => {
      currentCache = new Map();
    },
  };
};

const allows = ({ Statement: [{ Effect, Resource }] }: Policy, methodArn: string): boolean =>
  Effect === 'Allow' && matches(Resource, methodArn);

/** Whether an ARN matches a pattern in which `*` stands for any characters. */
const matches = (pattern: string, arn: string): boolean =>
  new RegExp(`^${RegExp.escape(pattern).replaceAll('\\*', '.*')}$`, 's').test(arn);

/** Returns the values that the integration gets, all as strings. */
const contextOf = ({ principalId, context }: AuthorizerResult): AuthorizerContext => {
  const values = Object.entries(context).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(values), principalId };
};
