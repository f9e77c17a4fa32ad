import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { ResponseMetadata } from '@smithy/types';

/**
 * The clock skew in milliseconds to tolerate. DynamoDB accepts 5 minutes; its Date headers have
 * whole seconds.
 */
const tolerance = 240_000;

/**
 * Milliseconds by which DynamoDB's clock is ahead of ours, learned from requests that it rejected;
 * 0 until then.
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
