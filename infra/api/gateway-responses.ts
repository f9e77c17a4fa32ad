import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  type ErrorCode,
  errorBody,
  ourFault,
  retryAfter,
  tooLate,
} from '../../functions/errors/api-error.ts';

/** What other parts of the API say to clients, too. */
export const noSuchOperation = 'No operation has this path and method.';
export const tooManyRequests = 'Too many requests. Try again later.';

/** The Error response for some of the types of response that API Gateway makes on its own. */
interface OwnResponse {
  types: ResponseType[];
  code: ErrorCode;
  message: string;
}

const ownResponses: OwnResponse[] = [
  {
    types: [
      ResponseType.UNAUTHORIZED,
      // The authorizer denies a bad key with a policy. API Gateway would send a 403, but to a
      // client, it is a 401.
      ResponseType.ACCESS_DENIED,
    ],
    code: 'unauthorized',
    message:
      'The Authorization header has no valid API key for this stage. ' +
      'Send "Authorization: Bearer <API_KEY>".',
  },
  {
    types: [
      ResponseType.MISSING_AUTHENTICATION_TOKEN,
      ResponseType.RESOURCE_NOT_FOUND,
      // Only the routes in fallback-routes.ts can cause this response.
      ResponseType.UNSUPPORTED_MEDIA_TYPE,
    ],
    code: 'path_not_found',
    message: noSuchOperation,
  },
  {
    types: [ResponseType.WAF_FILTERED],
    code: 'forbidden',
    message: 'The request was rejected.',
  },
  {
    types: [ResponseType.THROTTLED],
    code: 'too_many_requests',
    message: tooManyRequests,
  },
  {
    // The authorizer failed, for example because it could not read its table.
    types: [ResponseType.AUTHORIZER_FAILURE, ResponseType.AUTHORIZER_CONFIGURATION_ERROR],
    code: 'internal_error',
    message: 'The API key could not be checked. Try again later.',
  },
  {
    // The function was not invoked. AWS does not document which type it sends at a concurrency
    // limit.
    types: [ResponseType.INTEGRATION_FAILURE, ResponseType.API_CONFIGURATION_ERROR],
    code: 'internal_error',
    message: ourFault,
  },
  {
    types: [ResponseType.REQUEST_TOO_LARGE],
    code: 'request_too_large',
    message: 'The request is too large.',
  },
  {
    types: [ResponseType.INTEGRATION_TIMEOUT],
    code: 'gateway_timeout',
    message: tooLate,
  },
  // These two cover all other types. Most of the 5xx come from a function that failed.
  {
    types: [ResponseType.DEFAULT_4XX],
    code: 'bad_request',
    message: 'The request is not valid.',
  },
  {
    types: [ResponseType.DEFAULT_5XX],
    code: 'bad_gateway',
    message: ourFault,
  },
];

const headersOf: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': "'Bearer'" },
  too_many_requests: { 'Retry-After': `'${retryAfter}'` },
};

/** Adds the gateway responses to the API, with the Error shape as their body. */
export const addGatewayResponses = (api: RestApi): void => {
  for (const { types, code, message } of ownResponses) {
    const body = errorBody(code, message);
    for (const type of types) {
      api.addGatewayResponse(type.responseType, {
        type,
        statusCode: String(body.status),
        responseHeaders: headersOf[code],
        templates: { 'application/json': JSON.stringify(body) },
      });
    }
  }
};
