import type { HttpSigner, ResponseMetadata, SdkError } from '@smithy/types';

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

/** The metadata of a response, which marks an error after which the clock was corrected. */
export interface ClockMetadata extends ResponseMetadata {
  /** Tells the SDK that a retry may succeed. */
  clockSkewCorrected?: true;
}

/**
 * Corrects the clock by the Date header of a response, if DynamoDB has rejected the time of a
 * request's signature.
 */
export const correctClock: NonNullable<HttpSigner['errorHandler']> = (signing) => (error) => {
  const { name, $metadata, $response } = error as SdkError & { $metadata?: ClockMetadata };
  const date = Date.parse($response?.headers.date ?? '');
  if (
    name === 'InvalidSignatureException' &&
    $metadata &&
    Math.abs(date - Number(signing.time)) > tolerance
  ) {
    offset = date - Date.now();
    $metadata.clockSkewCorrected = true;
  }
  throw error;
};
