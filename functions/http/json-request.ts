import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError, quoteTruncated } from '../errors/api-error.ts';
import { parseJson } from '../shared/json.ts';

/** Bytes of UTF-8. The longest sensible body has fewer than 60. */
export const bodyLimit = 4_096;

const jsonContentType = /^application\/json\s*(;|$)/i;

/** All values of a request header, in whatever case the client spelled it; empty without it. */
export const requestHeader = ({ multiValueHeaders }: APIGatewayProxyEvent, name: string): string =>
  Object.entries(multiValueHeaders ?? {})
    .flatMap(([spelling, values = []]) => (spelling.toLowerCase() === name ? values : []))
    .join(', ');

/** A path parameter, percent-decoded: API Gateway passes it on as the client wrote it. */
export const pathParameter = (event: APIGatewayProxyEvent, name: string): string => {
  const raw = event.pathParameters?.[name] ?? '';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
};

/**
 * The JSON value in the body of a request.
 * @throws ApiError `request_too_large`, `unsupported_content_type`, `invalid_body`
 */
export const jsonBody = (event: APIGatewayProxyEvent): unknown => {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > bodyLimit) {
    throw new ApiError('request_too_large', `The body must have at most ${bodyLimit} bytes, not ${bytes.length}.`);
  }
  const contentType = requestHeader(event, 'content-type');
  if (!jsonContentType.test(contentType)) {
    const given = contentType ? `not ${quoteTruncated(contentType)}` : 'and is missing';
    throw new ApiError('unsupported_content_type', `Content-Type must be application/json, ${given}.`);
  }
  if (bytes.length === 0) {
    throw new ApiError('invalid_body', 'A body is required: {"quantity": <integer>}.');
  }
  try {
    return parseJson(bytes.toString());
  } catch {
    throw new ApiError('invalid_body', 'The body is not valid JSON.');
  }
};
