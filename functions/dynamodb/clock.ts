import type { HttpSigner, ResponseMetadata, SdkError } from '@smithy/types';

/** Milliseconds by which a clock may be wrong. DynamoDB allows 5 minutes, and its dates have no fractions. */
const tolerance = 240_000;

/** Milliseconds that DynamoDB's clock is ahead of this machine's, as far as it has rejected a request for it. */
let offset = 0;

/** What time DynamoDB takes it to be, in epoch milliseconds. */
export const dynamodbTime = (): number => Date.now() + offset;

/** Of a response. */
export interface ClockMetadata extends ResponseMetadata {
  /** Tells the SDK that it may try again. */
  clockSkewCorrected?: true;
}

/** Sets the clock by the response to a request that was signed at a time that DynamoDB rejects. */
export const correctClock: NonNullable<HttpSigner['errorHandler']> = (signing) => (error) => {
  const { name, $metadata, $response } = error as SdkError & { $metadata?: ClockMetadata };
  const date = Date.parse($response?.headers.date ?? '');
  if (name === 'InvalidSignatureException' && $metadata && Math.abs(date - Number(signing.time)) > tolerance) {
    offset = date - Date.now();
    $metadata.clockSkewCorrected = true;
  }
  throw error;
};
