import type { ServerResponse } from 'node:http';
// The response of each type that an API does not customise.
import defaults from './default-responses.json' with { type: 'json' };

/** AWS::ApiGateway::GatewayResponse */
export interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

/** What nobody can customise. Their names are not AWS's. */
const fixed = ['FORBIDDEN', 'INCOMPLETE_SIGNATURE', 'CONTENT_TOO_LONG'];

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

/** Writes the gateway response of a type: the API's own, else that of DEFAULT_4XX or DEFAULT_5XX, else AWS's. */
export const writeGatewayResponse = (
  response: ServerResponse,
  type: GatewayResponseType,
  customised: Map<string, GatewayResponse>,
  requestId: string,
): void => {
  const { status, errorType, message } = defaults[type];
  const fallback = status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const custom = fixed.includes(type) ? undefined : (customised.get(type) ?? customised.get(fallback));
  const isText = type === 'CONTENT_TOO_LONG';
  const usual = isText ? '$context.error.message' : '{"message":$context.error.messageString}';
  const template = custom?.ResponseTemplates?.['application/json'] ?? usual;
  // Plain substitution, not the mapping template language.
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
