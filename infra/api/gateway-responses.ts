import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody } from '../../functions/errors/api-error.ts';

/** What API Gateway answers by itself: each type that can be customised, in the Error shape. */
const gatewayResponses: [ResponseType, ErrorCode, message: string][] = [
  [ResponseType.UNAUTHORIZED, 'unauthorized', 'Send an API key: Authorization: Bearer <API_KEY>.'],
  // The authorizer denies a bad key with a policy; to a client that is a 401, not a 403.
  [ResponseType.ACCESS_DENIED, 'unauthorized', 'The API key is unknown, revoked or expired.'],
  [ResponseType.INVALID_API_KEY, 'unauthorized', 'The API key is unknown, revoked or expired.'],
  [ResponseType.EXPIRED_TOKEN, 'unauthorized', 'The API key is unknown, revoked or expired.'],
  [ResponseType.INVALID_SIGNATURE, 'unauthorized', 'Send an API key: Authorization: Bearer <API_KEY>.'],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'path_not_found', 'No operation has this path and method.'],
  [ResponseType.RESOURCE_NOT_FOUND, 'path_not_found', 'No operation has this path and method.'],
  // Only the routes in unserved-routes.ts can give it.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'path_not_found', 'No operation has this path and method.'],
  [ResponseType.BAD_REQUEST_BODY, 'bad_request', 'The request is not valid.'],
  [ResponseType.BAD_REQUEST_PARAMETERS, 'bad_request', 'The request is not valid.'],
  [ResponseType.WAF_FILTERED, 'forbidden', 'The request was refused.'],
  [ResponseType.THROTTLED, 'too_many_requests', 'Too many requests. Try again later.'],
  [ResponseType.QUOTA_EXCEEDED, 'too_many_requests', 'Too many requests. Try again later.'],
  // The authorizer throws: it cannot read its table.
  [ResponseType.AUTHORIZER_FAILURE, 'internal_error', 'The API key could not be checked. Try again later.'],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'internal_error', 'The API key could not be checked. Try again later.'],
  [ResponseType.API_CONFIGURATION_ERROR, 'internal_error', 'Something went wrong on our side. Try again later.'],
  [ResponseType.REQUEST_TOO_LARGE, 'request_too_large', 'The request is too large.'],
  [ResponseType.INTEGRATION_FAILURE, 'bad_gateway', 'Something went wrong on our side. Try again later.'],
  [ResponseType.INTEGRATION_TIMEOUT, 'gateway_timeout', 'The request took too long. Try again later.'],
  // The rest: of the 5xx chiefly a function that failed.
  [ResponseType.DEFAULT_4XX, 'bad_request', 'The request is not valid.'],
  [ResponseType.DEFAULT_5XX, 'bad_gateway', 'Something went wrong on our side. Try again later.'],
];

/** Customises what the API answers when no handler does. */
export const addGatewayResponses = (api: RestApi): void => {
  for (const [type, code, message] of gatewayResponses) {
    const body = errorBody(code, message);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(body.status),
      templates: { 'application/json': JSON.stringify(body) },
      ...(body.status === 401 && { responseHeaders: { 'WWW-Authenticate': "'Bearer'" } }),
    });
  }
};
