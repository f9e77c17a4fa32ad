import type {
  APIGatewayAuthorizerResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
} from 'aws-lambda';
import { hashApiKey, idOfApiKey, isWellFormedApiKey } from './keys/api-key.ts';
import { findStoredKey } from './keys/api-keys-table.ts';
import { type Access, type KeyReading, readKey } from './keys/stored-key.ts';
import { logFault } from './observability/log-fault.ts';
import { logLine } from './observability/log-line.ts';
import { variable } from './shared/environment.ts';
import { stopwatch } from './shared/stopwatch.ts';
import { timeLeft } from './shared/time-limits.ts';

const stageName = variable('STAGE_NAME');

/**
 * What becomes of a key: what it may do, or why it is refused. A log line says so. The ID in a key that
 * the table does not hold is only claimed: anybody can write it.
 */
type Decision =
  | { allowed: true; keyId: string; access: Access }
  | { allowed: false; keyId?: string | undefined; refused: KnownRefusal }
  | { allowed: false; claimedKeyId: string; refused: 'unknown' }
  | { allowed: false; refused: 'malformed' };

type KnownRefusal = Exclude<KeyReading['state'], 'active'>;
type Refusal = KnownRefusal | 'unknown' | 'malformed';

/**
 * Refusals that nobody has decided on: such a key may have been a good one, lost by neglect or by a
 * fault. A malformed one never was.
 */
const unexpected: Refusal[] = ['expired', 'unknown', 'unreadable'];

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
    const decision = await decide(apiKey, context);
    const isUnexpected = !decision.allowed && unexpected.includes(decision.refused);
    const counts = isUnexpected ? { UnexpectedRefusals: 1 } : {};
    logLine('INFO', { ...fields(), ...decision }, counts);
    return policy(decision, event.methodArn);
  } catch (error) {
    logFault(error, fields());
    throw error;
  }
};

const decide = async (apiKey: string, context: Context): Promise<Decision> => {
  if (!isWellFormedApiKey(apiKey, stageName)) {
    return { allowed: false, refused: 'malformed' };
  }
  const deadline = AbortSignal.timeout(timeLeft(context));
  const stored = await findStoredKey(hashApiKey(apiKey), deadline);
  if (stored === undefined) {
    return { allowed: false, claimedKeyId: idOfApiKey(apiKey), refused: 'unknown' };
  }
  const key = readKey(stored, Date.now() / 1000);
  return key.state === 'active'
    ? { allowed: true, keyId: key.keyId, access: key.access }
    : { allowed: false, keyId: key.keyId, refused: key.state };
};

const policy = (decision: Decision, methodArn: string): APIGatewayAuthorizerResult => {
  const { allowed } = decision;
  // The access log tells the id of a key only if it is allowed.
  const known = allowed ? { keyId: decision.keyId, access: decision.access } : { keyId: 'unknown' };
  return {
    principalId: known.keyId,
    policyDocument: {
      Version: '2012-10-17',
      // API Gateway caches the policy by key, so it must cover every method of the stage, not only
      // this request's.
      Statement: [
        {
          Effect: allowed ? 'Allow' : 'Deny',
          Action: 'execute-api:Invoke',
          Resource: methodArn.replace(/\/.*/s, `/${stageName}/*`),
        },
      ],
    },
    // Handlers refuse what the key may not do, because API Gateway answers every denial with a 401.
    context: known,
  };
};
