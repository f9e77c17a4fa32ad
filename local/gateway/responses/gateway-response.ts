import type { ServerResponse } from 'node:http';
import type { AccessRecord } from '../../log/access-log.ts';
import { endResponse } from './end-response.ts';

/** The properties of an AWS::ApiGateway::GatewayResponse. */
export interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

/** A response that API Gateway sends by itself. */
interface DefaultResponse {
  status: number;
  errorType: string;
  message: string | null;
  /** No API can customize the response. The names of such types are not AWS's. */
  isFixed?: boolean;
  /** The body is the message alone, not JSON. */
  isText?: boolean;
}

const badRequest = 'BadRequestException';
const tooLarge = 'RequestEntityTooLargeException';
const serverError = 'InternalServerErrorException';

/** The response of each type, unless the API customizes it. */
const defaults = {
  UNAUTHORIZED: { status: 401, errorType: 'UnauthorizedException', message: 'Unauthorized' },
  ACCESS_DENIED: {
    status: 403,
    errorType: 'AccessDeniedException',
    message: 'User is not authorized to access this resource',
  },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    errorType: 'MissingAuthenticationTokenException',
    message: 'Missing Authentication Token',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, errorType: badRequest, message: 'Unsupported Media Type' },
  REQUEST_TOO_LARGE: { status: 413, errorType: tooLarge, message: 'Request Entity Too Large' },
  THROTTLED: { status: 429, errorType: 'TooManyRequestsException', message: 'Too Many Requests' },
  AUTHORIZER_CONFIGURATION_ERROR: {
    status: 500,
    errorType: 'AuthorizerConfigurationException',
    message: null,
  },
  API_CONFIGURATION_ERROR: {
    status: 500,
    errorType: serverError,
    message: 'Internal server error',
  },
  INTEGRATION_TIMEOUT: {
    status: 504,
    errorType: serverError,
    message: 'Endpoint request timed out',
  },
  DEFAULT_4XX: { status: 400, errorType: badRequest, message: 'Bad Request' },
  DEFAULT_5XX: { status: 502, errorType: serverError, message: 'Internal server error' },
  FORBIDDEN: { status: 403, errorType: 'ForbiddenException', message: 'Forbidden', isFixed: true },
  INCOMPLETE_SIGNATURE: {
    status: 403,
    errorType: 'IncompleteSignatureException',
    message: 'Invalid key=value pair (missing equal-sign) in Authorization header',
    isFixed: true,
  },
  CONTENT_TOO_LONG: {
    status: 413,
    errorType: tooLarge,
    message: 'HTTP content length exceeded 10485760 bytes.',
    isFixed: true,
    isText: true,
  },
} satisfies Record<string, DefaultResponse>;

export type GatewayResponseType = keyof typeof defaults;

/** Thrown anywhere in the gateway to respond with a gateway response. */
export class GatewayResponseError extends Error {
  override readonly name = 'GatewayResponseError';
  readonly type: GatewayResponseType;

  constructor(type: GatewayResponseType, options?: ErrorOptions) {
    super(type, options);
    this.type = type;
  }
}

interface GatewayResponseProps {
  response: ServerResponse;
  record: AccessRecord;
  type: GatewayResponseType;
  /** The API's own responses by type. */
  customized: Map<string, GatewayResponse>;
  requestId: string;
}

/**
 * Writes a gateway response: the API's for its type, else the API's for DEFAULT_4XX or DEFAULT_5XX,
 * else AWS's.
 */
export const writeGatewayResponse = (props: GatewayResponseProps): void => {
  const { response, record, type, customized, requestId } = props;
  const usual: DefaultResponse = defaults[type];
  const ofClass = usual.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const custom = usual.isFixed ? undefined : (customized.get(type) ?? customized.get(ofClass));

  response.statusCode = Number(custom?.StatusCode ?? usual.status);
  response.setHeader('Content-Type', usual.isText ? 'text/plain' : 'application/json');
  response.setHeader('x-amzn-ErrorType', usual.errorType);
  for (const [parameter, value] of Object.entries(custom?.ResponseParameters ?? {})) {
    const name = parameter.replace('gatewayresponse.header.', '');
    response.setHeader(name, value.replace(/^'(.*)'$/, '$1'));
  }

  const usualTemplate = usual.isText
    ? '$context.error.message'
    : '{"message":$context.error.messageString}';
  const template = custom?.ResponseTemplates?.['application/json'] ?? usualTemplate;
  // API Gateway substitutes these variables as plain text; it does not run the mapping template
  // language here.
  const variables: Record<string, string> = {
    '$context.error.messageString': JSON.stringify(usual.message),
    '$context.error.message': String(usual.message),
    '$context.error.responseType': type,
    '$context.requestId': requestId,
  };
  const body = template.replace(/\$context(\.\w+)+/g, (name) => variables[name] ?? '');
  endResponse(response, record, body);
};
