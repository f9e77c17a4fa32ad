import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/**
 * Whether the authorizer of the release before access existed allows a stored key everything. It
 * asks three things, as it did there.
 */
export const previousAuthorizerAllows = (
  { keyId, revokedAt, expiresAt }: Record<string, AttributeValue>,
  now: number,
): boolean => {
  const isRevoked = revokedAt !== undefined;
  const hasTimeLeft = expiresAt === undefined || Number(expiresAt.N) > now;
  return hasTimeLeft && !isRevoked && keyId?.S !== undefined;
};
