import { afterEach, expect, jest, test } from '@jest/globals';
import { signer } from '../../../functions/dynamodb/signer.ts';
import { onlyDates, setEnvironment } from '../../support/functions/functions.ts';

/** The time, service and credentials of AWS's test suite for Signature Version 4. */
const signedAt = Date.parse('2015-08-30T12:36:00Z');
const suite = { region: 'us-east-1', service: 'service' };
const credentials = {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
const sessionToken =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSP' +
  'fIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYw' +
  'T7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKml' +
  'zm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';

/** A POST of the suite, before the signer adds anything. */
const post = {
  method: 'POST',
  protocol: 'https:',
  hostname: 'example.amazonaws.com',
  path: '/',
  query: {},
  headers: { host: 'example.amazonaws.com' },
  body: '',
};

afterEach(() => {
  delete process.env.AWS_SESSION_TOKEN;
  jest.useRealTimers();
});

// wire-format.test.ts compares bodies and other headers.
test("a copy of a request is signed as post-sts-header-before of AWS's test suite says", async () => {
  setEnvironment({ ...credentials, AWS_SESSION_TOKEN: sessionToken });
  const before = structuredClone(post);
  jest.useFakeTimers({ ...onlyDates, now: signedAt });
  const { headers } = await signer(suite)(post);
  expect(headers).toStrictEqual({
    ...post.headers,
    'x-amz-date': '20150830T123600Z',
    'x-amz-security-token': sessionToken,
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      'SignedHeaders=host;x-amz-date;x-amz-security-token, ' +
      'Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  });
  // The SDK signs the request again for a retry.
  expect(post).toStrictEqual(before);
});
