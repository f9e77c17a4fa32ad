import { createHash, createHmac } from 'node:crypto';
import { expect } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity, HttpRequest, SourceData } from '@smithy/types';
import fc from 'fast-check';
import { signatureV4 } from '../../functions/dynamodb/signature-v4.ts';

class Sha256 {
  readonly #hash;
  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }
  update(data: SourceData): void {
    this.#hash.update(data as Buffer);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

const text = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_./:=, '), minLength: 1 });
// Neither signs more than one blank in a row, or one at an end.
const value = text.map((words) => words.replace(/ +/g, ' ').trim());
const name = fc.stringMatching(/^x-[a-z][a-z0-9-]{0,12}$/).filter((header) => !/^x-(amz|amzn)-/.test(header));
const segments = fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/), { maxLength: 3 });
const secret = fc.string({ minLength: 1, maxLength: 40 });

const requests = fc.record({
  path: segments.map((parts) => `/${parts.join('/')}`),
  host: value,
  target: value,
  others: fc.dictionary(name, value, { maxKeys: 5 }),
  body: fc.string({ unit: 'grapheme', maxLength: 200 }),
});

const identities = fc.record(
  { accessKeyId: value, secretAccessKey: secret, sessionToken: value },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);

const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });

/** Signs so many requests as the functions and as the SDK, and asserts that both sign alike. */
export const expectSameSignatures = async (numRuns: number, setTime: (time: Date) => void): Promise<void> => {
  const region = fc.constantFrom('eu-west-1', 'us-gov-east-1', 'cn-north-1');
  await fc.assert(
    fc.asyncProperty(requests, identities, region, time, async (parts, identity, inRegion, now) => {
      const { path, host, target, others, body } = parts;
      const headers = { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target, ...others };
      const request: HttpRequest = {
        method: 'POST',
        protocol: 'https:',
        hostname: host,
        path,
        query: {},
        headers,
        body,
      };
      setTime(now);
      const ours = await signatureV4(inRegion).sign(request, identity as AwsCredentialIdentity, {});
      const settings = { service: 'dynamodb', region: inRegion, credentials: identity, sha256: Sha256 };
      const sdk = new SignatureV4({ ...settings, applyChecksum: false });
      const theirs = await sdk.sign(request, { signingDate: now });
      expect(ours.headers).toEqual(theirs.headers);
      expect(request.headers).toBe(headers);
    }),
    { numRuns, seed: 4 },
  );
};
