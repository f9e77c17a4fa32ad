import { createHmac, hash } from 'node:crypto';
import type { AwsCredentialIdentity, HttpRequest, HttpSigner } from '@smithy/types';
import { correctClock, dynamodbTime } from './clock.ts';

const algorithm = 'AWS4-HMAC-SHA256';

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/**
 * Signs requests to DynamoDB with Signature Version 4, including every header and the body. It
 * supports only what such requests need: a body in one piece, no query, header names in lower case.
 */
export const signatureV4 = (region: string): HttpSigner => ({
  sign: async (request, identity, signing) => {
    signing.time = dynamodbTime();
    const { accessKeyId, secretAccessKey, sessionToken } = identity as AwsCredentialIdentity;
    const time = new Date(Number(signing.time)).toISOString().replace(/[-:]|\.\d+/g, '');
    const day = time.slice(0, 8);
    // The headers are copied, because the SDK signs the same request again for a retry.
    const headers: HttpRequest['headers'] = { ...request.headers, 'x-amz-date': time };
    if (sessionToken) {
      headers['x-amz-security-token'] = sessionToken;
    }

    const names = Object.keys(headers).sort();
    const signedHeaders = names.join(';');
    const canonicalHeaders = names.map((name) => `${name}:${headers[name]}\n`).join('');
    const canonicalRequest = [
      request.method,
      request.path,
      '',
      canonicalHeaders,
      signedHeaders,
      hash('sha256', request.body),
    ].join('\n');

    const scope = [day, region, 'dynamodb', 'aws4_request'];
    const key = scope.reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`));
    const signature = hmac(
      key,
      [algorithm, time, scope.join('/'), hash('sha256', canonicalRequest)].join('\n'),
    );
    headers.authorization = `${algorithm} Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${signedHeaders}, Signature=${signature.toString('hex')}`;
    return { ...request, headers };
  },
  errorHandler: correctClock,
});
