import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody, retryAfter } from '../../functions/errors/api-error.ts';

const noValidKey =
  'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".';

/**
 * The code and message of the Error response for each type of response that API Gateway makes on
 * its own.
 */
const gatewayResponses: [ResponseType, ErrorCode, message: string][] = [
  [ResponseType.UNAUTHORIZED, 'unauthorized', noValidKey],
  // The authorizer denies a bad key with a policy. API Gateway would send a 403, but to a client,
  // it is a 401.
  [ResponseType.ACCESS_DENIED, 'unauthorized', noValidKey],
  [ResponseType.INVALID_API_KEY, 'unauthorized', noValidKey],
  [ResponseType.EXPIRED_TOKEN, 'unauthorized', noValidKey],
  [ResponseType.INVALID_SIGNATURE, 'unauthorized', noValidKey],
  [
    ResponseType.MISSING_AUTHENTICATION_TOKEN,
    'path_not_found',
    'No operation has this path and method.',
  ],
  [ResponseType.RESOURCE_NOT_FOUND, 'path_not_found', 'No operation has this path and method.'],
  // Only the routes in fallback-routes.ts can cause this response.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'path_not_found', 'No operation has this path and method.'],
  [ResponseType.WAF_FILTERED, 'forbidden', 'The request was rejected.'],
  [ResponseType.THROTTLED, 'too_many_requests', 'Too many requests. Try again later.'],
  [ResponseType.QUOTA_EXCEEDED, 'too_many_requests', 'Too many requests. Try again later.'],
  // The authorizer failed, for example because it could not read its table.
  [
    ResponseType.AUTHORIZER_FAILURE,
    'internal_error',
    'The API key could not be checked. Try again later.',
  ],
  [
    ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
    'internal_error',
    'The API key could not be checked. Try again later.',
  ],
  // The function was not invoked. AWS does not document which type it sends at a concurrency limit.
  [
    ResponseType.INTEGRATION_FAILURE,
    'internal_error',
    'Something went wrong on our side. Try again later.',
  ],
  [
    ResponseType.API_CONFIGURATION_ERROR,
    'internal_error',
    'Something went wrong on our side. Try again later.',
  ],
  [ResponseType.REQUEST_TOO_LARGE, 'request_too_large', 'The request is too large.'],
  [
    ResponseType.INTEGRATION_TIMEOUT,
    'gateway_timeout',
    'The request took too long. Try again later.',
  ],
  // These cover all other types. Most of the 5xx come from a function that failed.
  [ResponseType.DEFAULT_4XX, 'bad_request', 'The request is not valid.'],
  [ResponseType.DEFAULT_5XX, 'bad_gateway', 'Something went wrong on our side. Try again later.'],
];

const headersOf: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': "'Bearer'" },
  too_many_requests: { 'Retry-After': `'${retryAfter}'` },
};

/** Adds the gateway responses to the API, with the Error shape as their body. */
export const addGatewayResponses = (api: RestApi): void => {
  for (const [type, code, message] of gatewayResponses) {
    const body = errorBody(code, message);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(body.status),
      templates: { 'application/json': JSON.stringify(body) },
      ...(headersOf[code] && { responseHeaders: headersOf[code] }),
    });
  }
};
