import type {
  APIGatewayAuthorizerResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
} from 'aws-lambda';
import { hashApiKey, isWellFormedApiKey } from './keys/api-key.ts';
import { findActiveKeyId } from './keys/api-keys-table.ts';
import { logFault } from './observability/log-fault.ts';
import { logLine, stopwatch } from './observability/log-line.ts';
import { timeLeft } from './shared/time-limits.ts';

const stageName = process.env.STAGE_NAME ?? '';

/**
 * Allows the bearer of an active API key of this stage every operation, and denies everyone else.
 */
export const handler = async (
  event: APIGatewayTokenAuthorizerEvent,
  context: Context,
): Promise<APIGatewayAuthorizerResult> => {
  const elapsed = stopwatch();
  const fields = () => ({ operation: 'authorize', durationMs: elapsed() });
  try {
    const apiKey = event.authorizationToken.replace(/^Bearer +/i, '');
    const keyId = isWellFormedApiKey(apiKey, stageName)
      ? await findActiveKeyId(hashApiKey(apiKey), AbortSignal.timeout(timeLeft(context)))
      : undefined;
    logLine('INFO', { ...fields(), allowed: keyId !== undefined, keyId });
    return policy(keyId === undefined ? 'Deny' : 'Allow', keyId ?? 'unknown', event.methodArn);
  } catch (error) {
    logFault(error, fields());
    throw error;
  }
};

const policy = (
  Effect: 'Allow' | 'Deny',
  keyId: string,
  methodArn: string,
): APIGatewayAuthorizerResult => ({
  principalId: keyId,
  policyDocument: {
    Version: '2012-10-17',
    // API Gateway caches the policy by key, so it must cover every method of the stage, not only
    // this request's.
    Statement: [
      {
        Effect,
        Action: 'execute-api:Invoke',
        Resource: methodArn.replace(/\/.*/s, `/${stageName}/*`),
      },
    ],
  },
  context: { keyId },
});
