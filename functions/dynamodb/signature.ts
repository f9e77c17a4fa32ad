import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { HttpRequest, ResponseMetadata } from '@smithy/types';

/** Where a signature is valid. */
export interface SignatureScope {
  region: string;
  /** The name by which signatures know the service, such as `dynamodb`. */
  service: string;
}

/** Returns a function that signs a request as of a time, in epoch milliseconds. */
export const signer = (scope: SignatureScope) => {
  const signature = new SignatureV4({
    ...scope,
    credentials,
    sha256: Hash.bind(null, 'sha256'),
    // The header with the body's hash would be one more to send; only S3 needs it.
    applyChecksum: false,
  });
  return async (request: HttpRequest, time: number): Promise<HttpRequest> =>
    (await signature.sign(request, { signingDate: new Date(time) })) as HttpRequest;
};

/**
 * Returns the credentials of the function's role. They are read for each request, so that Lambda
 * can rotate them.
 */
const credentials = async () => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('The environment holds no AWS credentials.');
  }
  return { accessKeyId, secretAccessKey, sessionToken };
};

/**
 * The clock skew in milliseconds to tolerate. DynamoDB accepts 5 minutes; its Date headers have
 * whole seconds.
 */
const tolerance = 240_000;

/**
 * Milliseconds by which DynamoDB's clock is ahead of ours, learned from signatures that it
 * rejected; 0 until then.
 */
let offset = 0;

/** Returns the current time by DynamoDB's clock, in epoch milliseconds. */
export const dynamodbTime = (): number => Date.now() + offset;

/** The metadata of an error, which tell whether the clock was corrected after it. */
export interface ClockMetadata extends ResponseMetadata {
  /** Tells the SDK that a retry may succeed. */
  clockSkewCorrected?: true;
}

/**
 * Corrects the clock by the Date header of a response, if that response rejects the time of a
 * request's signature.
 */
export const correctClock = (error: unknown, signedAt: number, dateHeader = ''): void => {
  const date = Date.parse(dateHeader);
  if (
    error instanceof DynamoDBServiceException &&
    error.name === 'InvalidSignatureException' &&
    Math.abs(date - signedAt) > tolerance
  ) {
    offset = date - Date.now();
    const metadata: ClockMetadata = error.$metadata;
    metadata.clockSkewCorrected = true;
  }
};
