import { endResponse } from '../responses/end-response.ts';
import { GatewayResponseError } from '../responses/gateway-response.ts';
import type { Integration } from './integration.ts';

/** The parts of AWS::ApiGateway::Method's Integration that a mock reads. */
export interface MockProperties {
  PassthroughBehavior?: string;
  RequestTemplates?: Record<string, string>;
  IntegrationResponses?: IntegrationResponse[];
}

interface IntegrationResponse {
  StatusCode: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

export interface MethodResponse {
  StatusCode: string;
  ResponseParameters?: Record<string, boolean>;
}

/**
 * The MOCK integration: the same fixed response to every request whose content type has a request
 * template.
 * @throws Error if the response is not fixed
 */
export const mock = (
  properties: MockProperties,
  methodResponses: MethodResponse[],
): Integration => {
  const { RequestTemplates = {} } = properties;
  const { StatusCode, ResponseParameters = {}, ResponseTemplates } = fixedResponse(properties);
  const declared = methodResponses.find((response) => response.StatusCode === StatusCode);
  const headers = headersOf(ResponseParameters, declared);
  const body = ResponseTemplates?.['application/json'] ?? '';

  return async ({ message, record }, response) => {
    if (!Object.hasOwn(RequestTemplates, mediaTypeOf(message.headers['content-type']))) {
      throw new GatewayResponseError('UNSUPPORTED_MEDIA_TYPE');
    }
    response.writeHead(Number(StatusCode), { 'Content-Type': 'application/json', ...headers });
    endResponse(response, record, body);
  };
};

/** Returns a mock's only response. */
const fixedResponse = (properties: MockProperties): IntegrationResponse => {
  const { PassthroughBehavior, RequestTemplates = {}, IntegrationResponses = [] } = properties;
  const [only, ...others] = IntegrationResponses;
  const body = only?.ResponseTemplates?.['application/json'] ?? '';
  // These characters begin the variables and directives of the mapping template language.
  const isFixedText = !/[$#]/.test(body);
  const isServed =
    PassthroughBehavior === 'NEVER' &&
    Object.values(RequestTemplates).every(isStatus) &&
    others.length === 0 &&
    isFixedText;
  if (!only || !isServed) {
    throw new Error(
      'The local run serves mocks that pass nothing through and have one response of fixed text.',
    );
  }
  return only;
};

/** Whether a request template chooses a status, and does nothing else. */
const isStatus = (template: string): boolean =>
  /^\s*\{\s*"statusCode"\s*:\s*\d{3}\s*\}\s*$/.test(template);

/** Returns the headers of a mock's response, by name, as Node takes them. */
const headersOf = (
  parameters: Record<string, string>,
  declared: MethodResponse | undefined,
): Record<string, string> => {
  if (!declared) {
    throw new Error('A mock has a response that its method does not declare.');
  }
  const headers = Object.entries(parameters).map(([parameter, value]) => {
    if (!declared.ResponseParameters?.[parameter]) {
      throw new Error(`A mock sets ${parameter}, which its method response does not declare.`);
    }
    return [parameter.replace('method.response.header.', ''), value.replace(/^'(.*)'$/, '$1')];
  });
  return Object.fromEntries(headers);
};

/** Returns the media type of a Content-Type. API Gateway takes a missing one as JSON. */
const mediaTypeOf = (contentType = ''): string => {
  const [mediaType = ''] = contentType.split(';', 1);
  return mediaType.trim().toLowerCase() || 'application/json';
};
