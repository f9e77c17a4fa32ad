import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type {
  AwsCredentialIdentity,
  Checksum,
  HttpRequest,
  HttpSigner,
  SourceData,
} from '@smithy/types';

class Sha256 implements Checksum {
  readonly #hash;
  constructor(secret?: SourceData) {
    this.#hash = secret
      ? createHmac('sha256', Buffer.from(secret as ArrayBuffer))
      : createHash('sha256');
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  digest = async () => this.#hash.digest();
  reset(): void {}
}

/** Replaces functions/dynamodb/signature-v4.ts in a bundle with the SDK's signer. */
export const signatureV4 = (region: string): HttpSigner => ({
  sign: (request, identity) =>
    new SignatureV4({
      credentials: identity as AwsCredentialIdentity,
      region,
      service: 'dynamodb',
      sha256: Sha256,
    }).sign(request as HttpRequest) as Promise<HttpRequest>,
});
