import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import { ApiError } from '../errors/api-error.ts';
import { quoted } from '../shared/quoted.ts';
import { type ApiRequest, headerValue } from './request.ts';

/** The maximum length of a body, in bytes of UTF-8. The longest sensible body has fewer than 60. */
export const bodyLimit = 4_096;

const jsonContentType = /^application\/json\s*(;|$)/i;

/** A parser may ignore it (RFC 8259, 8.1). Some clients of Windows send it. */
const byteOrderMark = /^\ufeff/;

/**
 * Returns a middleware that reads the body of a request, which must be JSON.
 * @throws ApiError `request_too_large`, `unsupported_content_type`, `invalid_body`
 */
export const jsonBody = (): MiddlewareObj<ApiRequest> => {
  // The parser's own check knows only two spellings of the header's name; HTTP allows any.
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return {
    before: function parseJsonBody({ event: request }) {
      const { bytes, headers } = request;
      checkSize(bytes);
      checkContentType(headerValue(headers, 'content-type') ?? '');
      if (bytes.length === 0) {
        throw new ApiError('invalid_body', 'A body is required: {"quantity": <integer>}.');
      }
      request.body = bytes.toString().replace(byteOrderMark, '');
      try {
        parser.before?.({ event: request } as never);
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
    const given = contentType === '' ? 'but is missing' : `not ${quoted(contentType)}`;
    throw new ApiError(
      'unsupported_content_type',
      `Content-Type must be application/json, ${given}.`,
    );
  }
};

/** The parser tells what JSON.parse says, or which key it refuses, such as __proto__. */
const whyNotParsed = (error: unknown): string => {
  const { cause } = error as { cause: { message?: string } };
  return cause.message === undefined
    ? 'The body must be {"quantity": <integer>} and nothing more.'
    : 'The body must be uncompressed JSON in UTF-8.';
};
