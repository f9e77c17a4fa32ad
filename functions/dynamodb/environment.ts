import type { AwsCredentialIdentity } from '@smithy/types';

const { env } = process;

export const region = env.AWS_REGION ?? '';

/** Where DynamoDB is. The template says it, because it knows the domain of every partition of AWS. */
export const endpoint = new URL(env.AWS_ENDPOINT_URL_DYNAMODB ?? '');

/** The credentials of the function's role. Read anew for each request, so that they may be rotated. */
export const credentials = async (): Promise<AwsCredentialIdentity> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('The environment holds no AWS credentials.');
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
};
