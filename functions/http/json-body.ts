import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError, quoteTruncated } from '../errors/api-error.ts';
import { parseJson } from '../shared/json.ts';
import { requestHeader } from './request-parts.ts';

/** The maximum length of a body, in bytes of UTF-8. The longest sensible body has fewer than 60. */
const bodyLimit = 4_096;

const jsonContentType = /^application\/json\s*(;|$)/i;

/**
 * Returns a middleware that replaces the event's body by the JSON value that it holds.
 * @throws ApiError `request_too_large`, `unsupported_content_type`, `invalid_body`
 */
export const jsonBody = (): MiddlewareObj<APIGatewayProxyEvent> => {
  // The parser's own check knows only two spellings of the header's name; HTTP allows any.
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return {
    before: function parseJsonBody(request) {
      const { event } = request;
      const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      checkSize(bytes);
      checkContentType(requestHeader(event, 'content-type') ?? '');
      if (bytes.length === 0) {
        throw new ApiError('invalid_body', 'A body is required: {"quantity": <integer>}.');
      }
      try {
        const value = parseJson(bytes.toString());
        // The body is parsed a second time to reject keys such as __proto__. That result is not
        // used, because it rounds: the parser shows its reviver no digits, only numbers, and so
        // would take 1.0000000000000000001 for 1.
        parser.before?.(request as never);
        event.body = value as never;
      } catch (error) {
        throw new ApiError('invalid_body', whyNotParsed(error));
      }
    },
  };
};

const checkSize = ({ length }: Buffer): void => {
  if (length > bodyLimit) {
    throw new ApiError(
      'request_too_large',
      `The body must have at most ${bodyLimit} bytes, not ${length}.`,
    );
  }
};

const checkContentType = (contentType: string): void => {
  if (!jsonContentType.test(contentType)) {
    const given = contentType === '' ? 'and is missing' : `not ${quoteTruncated(contentType)}`;
    throw new ApiError(
      'unsupported_content_type',
      `Content-Type must be application/json, ${given}.`,
    );
  }
};

const whyNotParsed = (error: unknown): string =>
  error instanceof SyntaxError
    ? 'The body is not valid JSON.'
    : 'The body must be {"quantity": <integer>} and nothing more.';
