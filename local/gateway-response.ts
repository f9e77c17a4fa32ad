import type { ServerResponse } from 'node:http';

/** AWS::ApiGateway::GatewayResponse */
export interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

interface Default {
  status: number;
  errorType: string;
  message: string | null;
}

const unauthorized = { status: 401, errorType: 'UnauthorizedException', message: 'Unauthorized' };
const authorizerFailure = { status: 500, errorType: 'AuthorizerConfigurationException', message: null };
const serverError = { errorType: 'InternalServerErrorException', message: 'Internal server error' };

/** What API Gateway answers for a type that the API does not customise. */
const defaults = {
  UNAUTHORIZED: unauthorized,
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
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    errorType: 'BadRequestException',
    message: 'Unsupported Media Type',
  },
  REQUEST_TOO_LARGE: { status: 413, errorType: 'RequestEntityTooLargeException', message: 'Request Entity Too Large' },
  AUTHORIZER_CONFIGURATION_ERROR: authorizerFailure,
  AUTHORIZER_FAILURE: authorizerFailure,
  INTEGRATION_TIMEOUT: {
    status: 504,
    errorType: 'InternalServerErrorException',
    message: 'Endpoint request timed out',
  },
  DEFAULT_4XX: { status: 400, errorType: 'BadRequestException', message: 'Bad Request' },
  DEFAULT_5XX: { status: 502, ...serverError },
} satisfies Record<string, Default>;

export type GatewayResponseType = keyof typeof defaults;

/** Thrown anywhere in the gateway to answer with a gateway response. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';
  readonly type: GatewayResponseType;

  constructor(type: GatewayResponseType, options?: ErrorOptions) {
    super(type, options);
    this.type = type;
  }
}

/** Writes the gateway response of a type: the API's own, else that of DEFAULT_4XX or DEFAULT_5XX, else AWS's. */
export const writeGatewayResponse = (
  response: ServerResponse,
  type: GatewayResponseType,
  customised: Map<string, GatewayResponse>,
  requestId: string,
): void => {
  const { status, errorType, message } = defaults[type];
  const custom = customised.get(type) ?? customised.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
  const template = custom?.ResponseTemplates?.['application/json'] ?? '{"message":$context.error.messageString}';
  // Plain substitution, not the mapping template language.
  const variables: Record<string, string> = {
    '$context.error.messageString': JSON.stringify(message),
    '$context.error.message': String(message),
    '$context.error.responseType': type,
    '$context.requestId': requestId,
  };

  response.statusCode = Number(custom?.StatusCode ?? status);
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('x-amzn-ErrorType', errorType);
  for (const [parameter, value] of Object.entries(custom?.ResponseParameters ?? {})) {
    const name = parameter.replace('gatewayresponse.header.', '');
    response.setHeader(name, value.replace(/^'(.*)'$/, '$1'));
  }
  response.end(template.replace(/\$context(\.\w+)+/g, (name) => variables[name] ?? ''));
};
