import {
  type DynamoDBClientConfig,
  DynamoDBServiceException,
  errorTypeRegistries,
} from '@aws-sdk/client-dynamodb';
import type { HttpRequest, HttpResponse, ResponseMetadata, StaticErrorSchema } from '@smithy/types';
import { crc32 } from '../shared/crc32.ts';
import { TransientError } from './transient-error.ts';

type Output = Record<string, unknown>;

type Protocol = Exclude<
  DynamoDBClientConfig['protocol'],
  undefined | (new (...args: never[]) => unknown)
>;

/**
 * Implements DynamoDB's wire format, AWS JSON 1.0, without the SDK's schemas. None are needed as
 * long as no attribute is binary, because a command's input and output already have the shape of
 * that JSON. Ours are numbers and strings.
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
      const url = {
        protocol,
        hostname,
        // A URL with the port of its protocol has no other.
        port: port === '' ? undefined : Number(port),
        path: pathname,
        query: {},
      };
      return { ...url, method: 'POST', headers, body };
    },
    deserializeResponse: async (_operation: unknown, _context: unknown, response: HttpResponse) => {
      const { statusCode, headers } = response;
      const output = await readJson(response);
      const $metadata = {
        httpStatusCode: statusCode,
        requestId: headers['x-amzn-requestid'] ?? '',
      };
      if (statusCode !== 200) {
        throw serviceException(output, $metadata);
      }
      return { ...output, $metadata };
    },
  }) as unknown as Protocol;

/**
 * Reads a response and verifies its checksum. A success without one is not from DynamoDB, and could
 * let somebody in who has no key. Errors may lack a checksum, because Amazon's DynamoDB Local sends
 * them without one.
 * @throws TransientError if the response cannot be read or its checksum is wrong
 */
const readJson = async ({ statusCode, headers, body }: HttpResponse): Promise<Output> => {
  try {
    let text = '';
    for await (const chunk of body.setEncoding('utf8')) {
      text += chunk;
    }
    const checksum = headers['x-amz-crc32'];
    if ((statusCode === 200 || checksum !== undefined) && crc32(text) !== Number(checksum)) {
      throw new TypeError('Its checksum is missing or wrong.');
    }
    const output = JSON.parse(text);
    if (typeof output !== 'object' || output === null || Array.isArray(output)) {
      throw new TypeError('It is not an object.');
    }
    return output;
  } catch (cause) {
    throw new TransientError("DynamoDB's response cannot be read.", { cause });
  }
};

/**
 * Returns an error of DynamoDB as an exception of the SDK's class for it, or else as a
 * DynamoDBServiceException.
 */
const serviceException = (
  { __type, message, Message, ...details }: Output,
  $metadata: ResponseMetadata,
): Error => {
  const type = typeof __type === 'string' ? __type : 'UnknownError';
  const name = type.slice(type.lastIndexOf('#') + 1);
  const text = String(message ?? Message ?? name);
  for (const registry of errorTypeRegistries) {
    const schema = registry.find((error) => (error as StaticErrorSchema)[2] === name);
    const Exception = schema && registry.getErrorCtor(schema as StaticErrorSchema);
    if (Exception) {
      return new Exception({ ...details, message: text, $metadata });
    }
  }
  const $fault = Number($metadata.httpStatusCode) < 500 ? 'client' : 'server';
  return new DynamoDBServiceException({ name, message: text, $fault, $metadata });
};
