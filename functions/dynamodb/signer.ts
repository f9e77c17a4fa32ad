import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, HttpRequest, HttpSigner } from '@smithy/types';
import { correctClock, dynamodbTime } from './clock.ts';

export interface SignerProps {
  region: string;
  /** The name by which signatures know the service, such as `dynamodb`. */
  service: string;
}

/** Signs requests with Signature Version 4, at the time of DynamoDB's clock. */
export const signer = (props: SignerProps): HttpSigner => ({
  sign: async (request, identity, signing) => {
    const time = dynamodbTime();
    // correctClock compares this time with DynamoDB's, if DynamoDB rejects the signature.
    signing.time = time;
    const signature = new SignatureV4({
      ...props,
      credentials: identity as AwsCredentialIdentity,
      sha256: Hash.bind(null, 'sha256'),
      // The header with the body's hash would be one more to send; only S3 needs it.
      applyChecksum: false,
    });
    const signed = await signature.sign(request as HttpRequest, { signingDate: new Date(time) });
    return signed as HttpRequest;
  },
  errorHandler: correctClock,
});
