import type {
  APIGatewayAuthorizerResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
} from 'aws-lambda';
import { hashApiKey, isWellFormedApiKey } from './keys/api-key.ts';
import { type ActiveKey, findActiveKey } from './keys/api-keys-table.ts';
import { logFault } from './observability/log-fault.ts';
import { logLine, stopwatch } from './observability/log-line.ts';
import { timeLeft } from './shared/time-limits.ts';

const stageName = process.env.STAGE_NAME ?? '';

/**
 * Allows the bearer of an active API key of this stage every operation, and denies everyone else.
 * Tells the handlers the key's id and access.
 */
export const handler = async (
  event: APIGatewayTokenAuthorizerEvent,
  context: Context,
): Promise<APIGatewayAuthorizerResult> => {
  const elapsed = stopwatch();
  const fields = () => ({ operation: 'authorize', durationMs: elapsed() });
  try {
    const apiKey = event.authorizationToken.replace(/^Bearer +/i, '');
    const key = isWellFormedApiKey(apiKey, stageName)
      ? await findActiveKey(hashApiKey(apiKey), AbortSignal.timeout(timeLeft(context)))
      : undefined;
    logLine('INFO', { ...fields(), allowed: key !== undefined, ...key });
    return policy(key, event.methodArn);
  } catch (error) {
    logFault(error, fields());
    throw error;
  }
};

const policy = (key: ActiveKey | undefined, methodArn: string): APIGatewayAuthorizerResult => ({
  principalId: key?.keyId ?? 'unknown',
  policyDocument: {
    Version: '2012-10-17',
    // API Gateway caches the policy by key, so it must cover every method of the stage, not only
    // this request's.
    Statement: [
      {
        Effect: key === undefined ? 'Deny' : 'Allow',
        Action: 'execute-api:Invoke',
        Resource: methodArn.replace(/\/.*/s, `/${stageName}/*`),
      },
    ],
  },
  // Handlers refuse what the key may not do, because API Gateway answers every denial with a 401.
  context: { ...(key ?? { keyId: 'unknown' }) },
});
