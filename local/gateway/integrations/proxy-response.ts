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
  return (
    Object.keys(value).every((key) => resultKeys.includes(key)) &&
    /^[1-5]\d\d$/.test(String(statusCode)) &&
    (body === undefined || body === null || typeof body === 'string')
  );
};

/** Headers of an integration that API Gateway hands to the client under another name. */
const remapped = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'server',
  'user-agent',
  'www-authenticate',
]);

/**
 * Sets the status and the headers of a response to those of a proxy result.
 * @throws GatewayResponseError it is none
 */
export const writeProxyHead = (response: ServerResponse, result: unknown): ProxyResult => {
  if (!isProxyResult(result)) {
    throw new GatewayResponseError('DEFAULT_5XX');
  }
  const { statusCode, headers, multiValueHeaders } = result;
  response.statusCode = Number(statusCode);
  response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries({ ...headers, ...multiValueHeaders })) {
    const values = [value].flat().map(String);
    response.setHeader(
      remapped.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name,
      values.length === 1 ? (values[0] ?? '') : values,
    );
  }
  return result;
};

/** Responds with the result of a Lambda proxy integration. */
export const writeProxyResult = (response: ServerResponse, result: unknown): void => {
  const { body, isBase64Encoded } = writeProxyHead(response, result);
  response.end(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'));
};
