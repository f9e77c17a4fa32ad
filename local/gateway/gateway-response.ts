import type { Readable } from 'node:stream';

/** A response of the API, whoever makes it. */
export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  /** An error is a text. */
  body: string | Readable;
}

/** The properties of an AWS::ApiGateway::GatewayResponse, all of which the service customizes. */
export interface GatewayResponse {
  ResponseType: string;
  StatusCode: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates: { 'application/json': string };
}

/** The types of response that API Gateway sends by itself, and the x-amzn-ErrorType of each. */
const errorTypes = {
  UNAUTHORIZED: 'UnauthorizedException',
  ACCESS_DENIED: 'AccessDeniedException',
  UNSUPPORTED_MEDIA_TYPE: 'BadRequestException',
  REQUEST_TOO_LARGE: 'RequestEntityTooLargeException',
  THROTTLED: 'TooManyRequestsException',
  AUTHORIZER_CONFIGURATION_ERROR: 'AuthorizerConfigurationException',
  INTEGRATION_TIMEOUT: 'InternalServerErrorException',
  DEFAULT_5XX: 'InternalServerErrorException',
  // No API can customize this one, whose name is not AWS's.
  FORBIDDEN: 'ForbiddenException',
};

type GatewayResponseType = keyof typeof errorTypes;

/** Thrown anywhere in the gateway to respond with a gateway response. */
export class GatewayResponseError extends Error {
  override readonly name = 'GatewayResponseError';
  readonly type: GatewayResponseType;

  constructor(type: GatewayResponseType, options?: ErrorOptions) {
    super(type, options);
    this.type = type;
  }
}

/** Returns a gateway response with the text that the API gives its type. */
export const gatewayResponse = (
  customized: Map<string, GatewayResponse>,
  type: GatewayResponseType,
): ApiResponse => {
  const common = { 'Content-Type': 'application/json', 'x-amzn-ErrorType': errorTypes[type] };
  const custom = customized.get(type);
  if (custom === undefined) {
    return { status: 403, headers: common, body: '{"message":"Forbidden"}' };
  }
  const { StatusCode, ResponseParameters, ResponseTemplates } = custom;
  return {
    status: Number(StatusCode),
    headers: { ...common, ...headersIn(ResponseParameters) },
    body: ResponseTemplates['application/json'],
  };
};

/** Returns the headers that a template sets, such as `method.response.header.Allow` to `'GET'`. */
export const headersIn = (parameters: Record<string, string> = {}): Record<string, string> => {
  const headers = Object.entries(parameters).map(([parameter, value]) => [
    parameter.replace(/.*\.header\./, ''),
    value.replace(/^'(.*)'$/, '$1'),
  ]);
  return Object.fromEntries(headers);
};
