import type { MiddlewareObj } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError, quoteTruncated } from '../errors/api-error.ts';
import { parseJson } from '../shared/json.ts';
import { requestHeader } from './request-header.ts';

const jsonContentType = /^application\/json\s*(;|$)/i;

/**
 * Replaces the event's body by the JSON value it holds.
 * @throws ApiError `unsupported_content_type`, `invalid_body`
 */
export const jsonBody = (): MiddlewareObj<APIGatewayProxyEvent> => {
  // Its own check knows two spellings of the header's name; HTTP allows any.
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return {
    before: function parseJsonBody(request) {
      const { body } = request.event;
      const contentType = requestHeader(request.event, 'content-type');
      if (!jsonContentType.test(contentType)) {
        const given = contentType ? `not ${quoteTruncated(contentType)}` : 'and is missing';
        throw new ApiError('unsupported_content_type', `Content-Type must be application/json, ${given}.`);
      }
      if (!body) {
        throw new ApiError('invalid_body', 'A body is required: {"quantity": <integer>}.');
      }
      try {
        const value = parseJson(body);
        // Refuses keys such as __proto__; its own reading of numbers is replaced.
        parser.before?.(request as never);
        request.event.body = value as never;
      } catch (error) {
        const message =
          error instanceof SyntaxError
            ? 'The body is not valid JSON.'
            : 'The body must be {"quantity": <integer>} and nothing more.';
        throw new ApiError('invalid_body', message, { cause: error });
      }
    },
  };
};
