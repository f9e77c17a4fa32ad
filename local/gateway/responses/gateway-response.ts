import type { ServerResponse } from 'node:http';

/** The properties of an AWS::ApiGateway::GatewayResponse. */
export interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

const invalidSignature = 'Invalid key=value pair (missing equal-sign) in Authorization header';

/** Types of responses that nobody can customize. Their names are not AWS's. */
const fixed = ['FORBIDDEN', 'INCOMPLETE_SIGNATURE', 'CONTENT_TOO_LONG'];

/** The response of each type unless the API customizes it: status, `x-amzn-ErrorType`, message. */
const defaults = {
  UNAUTHORIZED: [401, 'UnauthorizedException', 'Unauthorized'],
  ACCESS_DENIED: [403, 'AccessDeniedException', 'User is not authorized to access this resource'],
  MISSING_AUTHENTICATION_TOKEN: [
    403,
    'MissingAuthenticationTokenException',
    'Missing Authentication Token',
  ],
  UNSUPPORTED_MEDIA_TYPE: [415, 'BadRequestException', 'Unsupported Media Type'],
  REQUEST_TOO_LARGE: [413, 'RequestEntityTooLargeException', 'Request Entity Too Large'],
  THROTTLED: [429, 'TooManyRequestsException', 'Too Many Requests'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'AuthorizerConfigurationException', null],
  API_CONFIGURATION_ERROR: [500, 'InternalServerErrorException', 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'InternalServerErrorException', 'Endpoint request timed out'],
  DEFAULT_4XX: [400, 'BadRequestException', 'Bad Request'],
  DEFAULT_5XX: [502, 'InternalServerErrorException', 'Internal server error'],
  FORBIDDEN: [403, 'ForbiddenException', 'Forbidden'],
  INCOMPLETE_SIGNATURE: [403, 'IncompleteSignatureException', invalidSignature],
  CONTENT_TOO_LONG: [
    413,
    'RequestEntityTooLargeException',
    'HTTP content length exceeded 10485760 bytes.',
  ],
} satisfies Record<string, readonly [status: number, errorType: string, message: string | null]>;

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

/**
 * Writes a gateway response: the API's for its type, else the API's for DEFAULT_4XX or DEFAULT_5XX,
 * else AWS's.
 */
export const writeGatewayResponse = (
  response: ServerResponse,
  type: GatewayResponseType,
  customised: Map<string, GatewayResponse>,
  requestId: string,
): void => {
  const [status, errorType, message] = defaults[type];
  const fallback = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const custom = fixed.includes(type)
    ? undefined
    : (customised.get(type) ?? customised.get(fallback));
  const isText = type === 'CONTENT_TOO_LONG';
  const usual = isText ? '$context.error.message' : '{"message":$context.error.messageString}';
  const template = custom?.ResponseTemplates?.['application/json'] ?? usual;
  // API Gateway substitutes these variables as plain text; it does not run the mapping template
  // language here.
  const variables: Record<string, string> = {
    '$context.error.messageString': JSON.stringify(message),
    '$context.error.message': String(message),
    '$context.error.responseType': type,
    '$context.requestId': requestId,
  };

  response.statusCode = Number(custom?.StatusCode ?? status);
  response.setHeader('Content-Type', isText ? 'text/plain' : 'application/json');
  response.setHeader('x-amzn-ErrorType', errorType);
  for (const [parameter, value] of Object.entries(custom?.ResponseParameters ?? {})) {
    const name = parameter.replace('gatewayresponse.header.', '');
    response.setHeader(name, value.replace(/^'(.*)'$/, '$1'));
  }
  response.end(template.replace(/\$context(\.\w+)+/g, (name) => variables[name] ?? ''));
};
