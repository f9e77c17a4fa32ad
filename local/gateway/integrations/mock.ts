import { GatewayResponseError } from '../responses/gateway-response.ts';
import type { Integration } from './integration.ts';

/** The parts of AWS::ApiGateway::Method's Integration that a mock reads. */
export interface MockProperties {
  PassthroughBehavior?: string;
  RequestTemplates?: Record<string, string>;
  IntegrationResponses?: {
    StatusCode: string;
    ResponseParameters?: Record<string, string>;
    ResponseTemplates?: Record<string, string>;
  }[];
}

export interface MethodResponse {
  StatusCode: string;
  ResponseParameters?: Record<string, boolean>;
}

/**
 * The MOCK integration: the same fixed response to every request whose content type has a request
 * template.
 */
export const mock = (
  properties: MockProperties,
  methodResponses: MethodResponse[],
): Integration => {
  const {
    PassthroughBehavior,
    RequestTemplates = {},
    IntegrationResponses: [only, ...others] = [],
  } = properties;
  const { StatusCode = '', ResponseParameters = {}, ResponseTemplates } = only ?? {};
  const body = ResponseTemplates?.['application/json'] ?? '';
  const isStatus = (template: string) =>
    /^\s*\{\s*"statusCode"\s*:\s*\d{3}\s*\}\s*$/.test(template);
  const isFixed = Object.values(RequestTemplates).every(isStatus) && !/[$#]/.test(body);
  const declared = methodResponses.find((response) => response.StatusCode === StatusCode);
  if (!declared || others.length > 0 || !isFixed || PassthroughBehavior !== 'NEVER') {
    throw new Error(
      'The local run serves mocks that pass nothing through and have one response, declared, of fixed text.',
    );
  }
  const headers = Object.entries(ResponseParameters).map(([parameter, value]): [string, string] => {
    if (!declared.ResponseParameters?.[parameter]) {
      throw new Error(`A mock sets ${parameter}, which its method response does not declare.`);
    }
    return [parameter.replace('method.response.header.', ''), value.replace(/^'(.*)'$/, '$1')];
  });

  return async ({ message }, response) => {
    const contentType = message.headers['content-type'] ?? '';
    const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() || 'application/json';
    if (!Object.hasOwn(RequestTemplates, mediaType)) {
      throw new GatewayResponseError('UNSUPPORTED_MEDIA_TYPE');
    }
    response.writeHead(Number(StatusCode), {
      'Content-Type': 'application/json',
      ...Object.fromEntries(headers),
    });
    response.end(body);
  };
};
