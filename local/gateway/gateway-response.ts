import type { ServerResponse } from 'node:http';
import type { GatewayResponseType } from './integrations/integration.ts';

/** AWS::ApiGateway::GatewayResponse */
export interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

const serverError = ['InternalServerErrorException', 'Internal server error'] as const;
const authorizerFailure = [500, 'AuthorizerConfigurationException', null] as const;

/** The response of a type that the API does not customise: status, `x-amzn-ErrorType`, message. */
const defaults: Record<GatewayResponseType, readonly [status: number, errorType: string, message: string | null]> = {
  UNAUTHORIZED: [401, 'UnauthorizedException', 'Unauthorized'],
  ACCESS_DENIED: [403, 'AccessDeniedException', 'User is not authorized to access this resource'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'MissingAuthenticationTokenException', 'Missing Authentication Token'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'BadRequestException', 'Unsupported Media Type'],
  REQUEST_TOO_LARGE: [413, 'RequestEntityTooLargeException', 'Request Entity Too Large'],
  THROTTLED: [429, 'TooManyRequestsException', 'Too Many Requests'],
  AUTHORIZER_CONFIGURATION_ERROR: authorizerFailure,
  AUTHORIZER_FAILURE: authorizerFailure,
  API_CONFIGURATION_ERROR: [500, ...serverError],
  INTEGRATION_TIMEOUT: [504, 'InternalServerErrorException', 'Endpoint request timed out'],
  DEFAULT_4XX: [400, 'BadRequestException', 'Bad Request'],
  DEFAULT_5XX: [502, ...serverError],
};

/** Thrown to respond with what API Gateway lets nobody customise. */
export class FixedResponse extends Error {
  override readonly name = 'FixedResponse';
  readonly status: number;
  readonly headers: Record<string, string>;

  /** The message is the body. */
  constructor(status: number, headers: Record<string, string>, body: string) {
    super(body);
    this.status = status;
    this.headers = headers;
  }
}

/** Writes the gateway response of a type: the API's own, else that of DEFAULT_4XX or DEFAULT_5XX, else AWS's. */
export const writeGatewayResponse = (
  response: ServerResponse,
  type: GatewayResponseType,
  customised: Map<string, GatewayResponse>,
  requestId: string,
): void => {
  const [status, errorType, message] = defaults[type];
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
