import { GatewayResponseError, headersIn } from './gateway-response.ts';
import type { Integration } from './route.ts';

/** The parts of AWS::ApiGateway::Method's Integration that a mock reads. */
export interface MockProperties {
  RequestTemplates?: Record<string, string>;
  IntegrationResponses?: {
    StatusCode: string;
    ResponseParameters?: Record<string, string>;
    ResponseTemplates: { 'application/json': string };
  }[];
}

/**
 * The MOCK integration: the same fixed response to every request whose content type has a request
 * template.
 */
export const mock = ({
  RequestTemplates = {},
  IntegrationResponses,
}: MockProperties): Integration => {
  const [only] = IntegrationResponses ?? [];
  if (only === undefined) {
    throw new Error('A mock has no response.');
  }
  const { StatusCode, ResponseParameters, ResponseTemplates } = only;
  const headers = { 'Content-Type': 'application/json', ...headersIn(ResponseParameters) };
  const body = ResponseTemplates['application/json'];
  return async ({ message }) => {
    if (!Object.hasOwn(RequestTemplates, mediaTypeOf(message.headers['content-type']))) {
      throw new GatewayResponseError('UNSUPPORTED_MEDIA_TYPE');
    }
    return { status: Number(StatusCode), headers, body };
  };
};

/** Returns the media type of a Content-Type. API Gateway takes a missing one as JSON. */
const mediaTypeOf = (contentType = ''): string => {
  const [mediaType = ''] = contentType.split(';', 1);
  return mediaType.trim().toLowerCase() || 'application/json';
};
