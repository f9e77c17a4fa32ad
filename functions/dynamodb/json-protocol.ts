import type { IncomingMessage } from 'node:http';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { HttpRequest, HttpResponse, ResponseMetadata } from '@smithy/types';

type Protocol = Exclude<DynamoDBClientConfig['protocol'], undefined | (new (...args: never[]) => unknown)>;

/**
 * DynamoDB's wire format, AWS JSON 1.0, without the SDK's schemas: what lib-dynamodb hands over and takes
 * back is that JSON already, as long as no attribute is binary. Ours are numbers and strings.
 */
export const jsonProtocol = ({ protocol, hostname, host, port, pathname }: URL): Protocol =>
  ({
    getShapeId: () => 'aws.protocols#awsJson1_0',
    setSerdeContext: () => {},
    serializeRequest: async ({ name }: { name: string }, input: unknown): Promise<HttpRequest> => {
      const body = JSON.stringify(input);
      const headers = {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${name}`,
      };
      const url = { protocol, hostname, path: pathname, query: {}, ...(port && { port: Number(port) }) };
      return { ...url, method: 'POST', headers, body };
    },
    deserializeResponse: async (_operation: unknown, _context: unknown, response: HttpResponse) => {
      const { statusCode, headers } = response;
      const output = JSON.parse(await textOf(response.body));
      const $metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] ?? '' };
      if (statusCode >= 300) {
        throw serviceError(output, $metadata);
      }
      return { ...output, $metadata };
    },
  }) as unknown as Protocol;

const textOf = (message: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    message.setEncoding('utf8');
    message.on('data', (chunk) => {
      text += chunk;
    });
    message.on('end', () => resolve(text));
    message.on('error', reject);
  });

/** The SDK's exception classes recognise their own by `name`, `$fault` and `$metadata`; so do its retries. */
const serviceError = (output: Record<string, string>, $metadata: ResponseMetadata): Error => {
  const { __type = 'UnknownError', message = output.Message, ...details } = output;
  const $fault = ($metadata.httpStatusCode ?? 0) < 500 ? 'client' : 'server';
  return Object.assign(new Error(message), details, { name: __type.split('#').pop(), $fault, $metadata });
};
