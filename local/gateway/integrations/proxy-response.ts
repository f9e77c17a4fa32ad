import type { ServerResponse } from 'node:http';
import { GatewayResponseError } from '../responses/gateway-response.ts';

type HeaderValue = string | number | boolean;

interface ProxyResult {
  statusCode: number | string;
  headers?: Record<string, HeaderValue> | null;
  multiValueHeaders?: Record<string, HeaderValue[]> | null;
  body?: string | null;
  isBase64Encoded?: boolean;
}

const resultKeys = ['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded'];

const isProxyResult = (value: unknown): value is ProxyResult => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }
  const { statusCode, body } = value as ProxyResult;
  const hasOnlyKnownKeys = Object.keys(value).every((key) => resultKeys.includes(key));
  const hasStatus = /^[1-5]\d\d$/.test(String(statusCode));
  const hasTextOrNoBody = typeof (body ?? '') === 'string';
  return hasOnlyKnownKeys && hasStatus && hasTextOrNoBody;
};

/** Headers of a function's result that API Gateway sends to the client under another name. */
const renamedHeaders = [
  'authorization',
  'connection',
  'content-md5',
  'date',
  'server',
  'user-agent',
  'www-authenticate',
];

const sentName = (name: string): string =>
  renamedHeaders.includes(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;

/**
 * Sets the status and headers of a response from the result of a function, and returns the result.
 * @throws GatewayResponseError if the result is no valid proxy result
 */
export const writeProxyHead = (response: ServerResponse, result: unknown): ProxyResult => {
  if (!isProxyResult(result)) {
    throw new GatewayResponseError('DEFAULT_5XX');
  }
  const { statusCode, headers, multiValueHeaders } = result;
  response.statusCode = Number(statusCode);
  response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries({ ...headers, ...multiValueHeaders })) {
    response.setHeader(sentName(name), [value].flat().map(String));
  }
  return result;
};
