import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { HttpRequest } from '@smithy/types';

/** Where a signature is valid. */
interface SignatureScope {
  region: string;
  /** The name by which signatures know the service, such as `dynamodb`. */
  service: string;
}

/** Returns a function that signs a copy of a request, as of now. */
export const signer = (scope: SignatureScope) => {
  const signature = new SignatureV4({
    ...scope,
    credentials,
    sha256: Hash.bind(null, 'sha256'),
    // The header with the body's hash would be one more to send; only S3 needs it.
    applyChecksum: false,
  });
  return async (request: HttpRequest): Promise<HttpRequest> =>
    (await signature.sign(request)) as HttpRequest;
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
