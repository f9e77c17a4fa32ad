import { GatewayResponseError } from '../responses/gateway-response.ts';
import type { Integration } from './integration.ts';

/** The parts of AWS::ApiGateway::Method's Integration that a mock reads. */
export interface MockProperties {
  PassthroughBehavior?: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
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

/** The integration of type MOCK, with templates of fixed text. */
export const mock = (properties: MockProperties, methodResponses: MethodResponse[]): Integration => {
  const {
    PassthroughBehavior = 'WHEN_NO_MATCH',
    RequestTemplates = {},
    IntegrationResponses: [integrationResponse, ...others] = [],
  } = properties;
  const { StatusCode = '', ResponseParameters = {}, ResponseTemplates } = integrationResponse ?? {};
  const body = ResponseTemplates?.['application/json'] ?? '';
  if (others.length > 0 || /[$#]/.test([body, ...Object.values(RequestTemplates)].join())) {
    throw new Error('The local run serves mocks with one integration response and templates of fixed text.');
  }
  const declared = methodResponses.find((response) => response.StatusCode === StatusCode);
  const headers = Object.entries(ResponseParameters).map(([parameter, value]): [string, string] => {
    if (!declared?.ResponseParameters?.[parameter]) {
      throw new Error(`A mock sets ${parameter}, which its method response does not declare.`);
    }
    return [parameter.replace('method.response.header.', ''), value.replace(/^'(.*)'$/, '$1')];
  });

  const requestTemplate = (contentType: string, requestBody: string): string => {
    const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() || 'application/json';
    const template = RequestTemplates[mediaType];
    const passes =
      PassthroughBehavior === 'WHEN_NO_MATCH' ||
      (PassthroughBehavior === 'WHEN_NO_TEMPLATES' && Object.keys(RequestTemplates).length === 0);
    if (template === undefined && !passes) {
      throw new GatewayResponseError('UNSUPPORTED_MEDIA_TYPE');
    }
    return template ?? requestBody;
  };

  return async ({ message, body: requestBody }, response) => {
    // What the request becomes must be JSON with a status code; otherwise the API counts as misconfigured.
    const request = requestTemplate(message.headers['content-type'] ?? '', requestBody.toString());
    if (!declared || !/^\s*\{\s*"statusCode"\s*:\s*\d{3}\s*\}\s*$/.test(request)) {
      throw new GatewayResponseError('API_CONFIGURATION_ERROR');
    }
    response.writeHead(Number(StatusCode), { 'Content-Type': 'application/json', ...Object.fromEntries(headers) });
    response.end(body);
  };
};
