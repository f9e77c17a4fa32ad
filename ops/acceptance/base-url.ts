import { invalidValue } from '../cli/arguments.ts';

/** What the base URLs of deployments and of local runs look like. */
const shapes = [
  /^https:\/\/[\w-]+\.execute-api\.[\w-]+\.amazonaws\.com(\.cn)?\/[\w-]+\/v1$/,
  // The base URL of a stage with a customDomain has no stage in it.
  /^https:\/\/(?![\w.-]+\.amazonaws\.com)[\w.-]+(:\d+)?\/v1$/,
  /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+\/[\w-]+\/v1$/,
];

/** Reads the BaseUrl that a deployment or a local run has printed. A final slash is left out. */
export const parseBaseUrl = (text: string): string => {
  const baseUrl = text.replace(/\/$/, '');
  const isBaseUrl = URL.canParse(baseUrl) && shapes.some((shape) => shape.test(baseUrl));
  return isBaseUrl
    ? baseUrl
    : invalidValue(
        'It must be the BaseUrl that the deployment printed: ' +
          'https://API_ID.execute-api.REGION.amazonaws.com/STAGE/v1, or https://DOMAIN/v1 for a ' +
          'customDomain. That of a local run is http://127.0.0.1:PORT/STAGE/v1.',
      );
};
