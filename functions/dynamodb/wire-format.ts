import { crc32 } from 'node:zlib';
import { DynamoDBServiceException, errorTypeRegistries } from '@aws-sdk/client-dynamodb';
import type { HttpRequest, ResponseMetadata, StaticErrorSchema } from '@smithy/types';
import type { Response } from './connect.ts';
import { TransientError } from './failures.ts';

/**
 * Returns a command as an HTTP request in AWS JSON 1.0. That needs none of the SDK's schemas as
 * long as no attribute is binary, because a command's input already has the shape of that JSON.
 * Ours are numbers and strings.
 */
export const commandRequest = (
  { protocol, hostname, host, port, pathname: path }: URL,
  commandName: string,
  input: object,
): HttpRequest => {
  const body = JSON.stringify(input);
  const headers = {
    host,
    'content-type': 'application/x-amz-json-1.0',
    'content-length': String(Buffer.byteLength(body)),
    'x-amz-target': `DynamoDB_20120810.${commandName.replace(/Command$/, '')}`,
  };
  // A URL with the port of its protocol has no other.
  const ownPort = port === '' ? {} : { port: Number(port) };
  return { method: 'POST', protocol, hostname, ...ownPort, path, query: {}, headers, body };
};

type Json = Record<string, unknown>;

/** The output of a command. */
export type Output = Json & { $metadata: ResponseMetadata };

/** The output of a command whose JSON is left to the caller. */
export interface UnparsedOutput {
  bytes: Buffer;
}

/**
 * Reads the output of a command from a response.
 * @throws TransientError if DynamoDB cannot have sent this response
 * @throws DynamoDBServiceException if it is an error
 */
export const readOutput = (response: Response, unparsed: boolean): Output => {
  const isSuccess = response.statusCode === 200;
  const $metadata = {
    httpStatusCode: Number(response.statusCode),
    requestId: String(response.headers['x-amzn-requestid'] ?? ''),
  };
  let output: Json;
  try {
    checkChecksum(response);
    const { bytes } = response;
    output = isSuccess && unparsed ? { bytes } : parseObject(bytes.toString());
  } catch (cause) {
    throw new TransientError("DynamoDB's response cannot be read.", { cause });
  }
  if (!isSuccess) {
    throw serviceException(output, $metadata);
  }
  return { ...output, $metadata };
};

/**
 * A success without a checksum is not from DynamoDB, and could let somebody in who has no key.
 * Errors may lack one, because some local engines send them without.
 */
const checkChecksum = ({ statusCode, headers, bytes }: Response): void => {
  const checksum = headers['x-amz-crc32'];
  const isRequired = statusCode === 200 || checksum !== undefined;
  if (isRequired && crc32(bytes) !== Number(checksum)) {
    throw new TypeError('Its checksum is missing or wrong.');
  }
};

const parseObject = (json: string): Json => {
  const value = JSON.parse(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('It is not an object.');
  }
  return value;
};

/** Returns an error of DynamoDB in the SDK's class for it, so that `instanceof` knows it. */
const serviceException = (
  { __type, message, Message, ...details }: Json,
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
