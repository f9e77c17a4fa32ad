import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody, retryAfter } from '../../functions/errors/api-error.ts';

const noValidKey =
  'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".';

/** The responses that API Gateway makes by itself: each type that can be customized, in the Error shape. */
const gatewayResponses: [ResponseType, ErrorCode, message: string][] = [
  [ResponseType.UNAUTHORIZED, 'unauthorized', noValidKey],
  // The authorizer denies a bad key with a policy; to a client that is a 401, not a 403.
  [ResponseType.ACCESS_DENIED, 'unauthorized', noValidKey],
  [ResponseType.INVALID_API_KEY, 'unauthorized', noValidKey],
  [ResponseType.EXPIRED_TOKEN, 'unauthorized', noValidKey],
  [ResponseType.INVALID_SIGNATURE, 'unauthorized', noValidKey],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'path_not_found', 'No operation has this path and method.'],
  [ResponseType.RESOURCE_NOT_FOUND, 'path_not_found', 'No operation has this path and method.'],
  // Only the routes in fallback-routes.ts can give it.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'path_not_found', 'No operation has this path and method.'],
  [ResponseType.WAF_FILTERED, 'forbidden', 'The request was rejected.'],
  [ResponseType.THROTTLED, 'too_many_requests', 'Too many requests. Try again later.'],
  [ResponseType.QUOTA_EXCEEDED, 'too_many_requests', 'Too many requests. Try again later.'],
  // The authorizer cannot read its table.
  [ResponseType.AUTHORIZER_FAILURE, 'internal_error', 'The API key could not be checked. Try again later.'],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'internal_error', 'The API key could not be checked. Try again later.'],
  [ResponseType.API_CONFIGURATION_ERROR, 'internal_error', 'Something went wrong on our side. Try again later.'],
  [ResponseType.REQUEST_TOO_LARGE, 'request_too_large', 'The request is too large.'],
  [ResponseType.INTEGRATION_TIMEOUT, 'gateway_timeout', 'The request took too long. Try again later.'],
  // All others; for 5xx, mostly a function that failed.
  [ResponseType.DEFAULT_4XX, 'bad_request', 'The request is not valid.'],
  [ResponseType.DEFAULT_5XX, 'bad_gateway', 'Something went wrong on our side. Try again later.'],
];

const headersOf: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': "'Bearer'" },
  too_many_requests: { 'Retry-After': `'${retryAfter}'` },
};

/** Customizes the responses of requests that reach no handler. */
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
