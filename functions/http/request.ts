import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request as an API Gateway event tells it, read once. */
export interface ApiRequest {
  requestId: string;
  extendedRequestId: string | undefined;
  /** The id of the API key that the authorizer has allowed. */
  keyId: string | undefined;
  /** What that key may do. */
  access: string | undefined;
  headers: HeaderValues;
  /** The path parameter after percent-decoding; empty if the path has none. */
  petId: string;
  bytes: Buffer;
  /** What the body says. Until a middleware has read the bytes, nothing. */
  body?: unknown;
}

/** The headers that the service reads. A test compares them with openapi.yaml. */
export const headerNames = [
  'accept-encoding',
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
] as const;

type HeaderName = (typeof headerNames)[number];

/**
 * All values of each header, by its name in lower case. This is no global `Headers`, which would
 * join two API keys, and load all of undici.
 */
export type HeaderValues = Pick<ReadonlyMap<HeaderName, string[]>, 'get' | 'has'>;

/** Returns all values of a header, joined by commas; undefined if it is missing. */
export const headerValue = (headers: HeaderValues, name: HeaderName): string | undefined =>
  headers.get(name)?.join(', ');

export const readRequest = (event: APIGatewayProxyEvent): ApiRequest => {
  const { requestId, extendedRequestId, authorizer } = event.requestContext;
  return {
    requestId,
    extendedRequestId,
    keyId: authorizer?.keyId,
    access: authorizer?.access,
    headers: readHeaders(event.multiValueHeaders ?? {}),
    petId: decoded(event.pathParameters?.petId ?? ''),
    bytes: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
};

/** API Gateway keeps spellings of a name apart. */
const readHeaders = (bySpelling: APIGatewayProxyEvent['multiValueHeaders']): HeaderValues => {
  const headers = new Map<string, string[]>();
  for (const [spelling, given] of Object.entries(bySpelling)) {
    const name = spelling.toLowerCase();
    const values = [headers.get(name), given].flatMap((some = []) => some);
    headers.set(name, values);
  }
  return headers;
};

/** API Gateway passes a path parameter on as the client wrote it. */
const decoded = (raw: string): string => {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
};
