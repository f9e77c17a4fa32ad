import { expect, jest, test } from '@jest/globals';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity } from '@smithy/types';
import fc from 'fast-check';
import { signatureV4 } from '../../../functions/dynamodb/signature-v4.ts';

const numRuns = Number(process.env.DIFFERENTIAL_CASES ?? 200);

const text = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_./:=, '), minLength: 1 });
// The SDK's signer collapses runs of spaces and trims values; ours expects values that need
// neither.
const value = text.map((words) => words.replace(/ +/g, ' ').trim());
const name = fc
  .stringMatching(/^x-[a-z][a-z0-9-]{0,12}$/)
  .filter((header) => !/^x-(amz|amzn)-/.test(header));
const path = fc
  .array(fc.stringMatching(/^[\w-]{1,8}$/), { maxLength: 3 })
  .map((parts) => `/${parts.join('/')}`);
const body = fc.string({ unit: 'grapheme', maxLength: 200 });
const headers = fc
  .tuple(fc.dictionary(name, value, { maxKeys: 5 }), value, value)
  .map(([others, host, target]) => ({ ...others, host, 'x-amz-target': target }));
const credentials = fc.record(
  {
    accessKeyId: value,
    secretAccessKey: fc.string({ minLength: 1, maxLength: 40 }),
    sessionToken: value,
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
) as fc.Arbitrary<AwsCredentialIdentity>;
const regions = fc.constantFrom('eu-west-1', 'us-gov-east-1', 'cn-north-1');
const times = fc.date({
  min: new Date('2000-01-01'),
  max: new Date('2099-12-31'),
  noInvalidDate: true,
});

const requests = fc.record({ path, headers, body });

test('requests are signed as the SDK signs them, and not modified', async () => {
  const clock = jest.spyOn(Date, 'now');
  await fc.assert(
    fc.asyncProperty(
      requests,
      credentials,
      regions,
      times,
      async (parts, identity, region, signingDate) => {
        const request = {
          method: 'POST',
          protocol: 'https:',
          hostname: 'dynamodb',
          query: {},
          ...parts,
        };
        const before = structuredClone(request);
        clock.mockReturnValue(signingDate.getTime());
        const signed = await signatureV4(region).sign(request, identity, {});
        expect(request).toEqual(before);
        const sha256 = Hash.bind(null, 'sha256');
        const sdk = new SignatureV4({
          service: 'dynamodb',
          region,
          credentials: identity,
          sha256,
          applyChecksum: false,
        });
        expect(signed).toEqual(await sdk.sign(request, { signingDate }));
      },
    ),
    { numRuns, seed: 4 },
  );
  clock.mockRestore();
});
