import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Returns all values of a request header. `name` is lower-case; the client's spelling may vary. */
export const headerValues = ({ multiValueHeaders }: APIGatewayProxyEvent, name: string): string[] =>
  Object.entries(multiValueHeaders ?? {}).flatMap(([spelling, each = []]) =>
    spelling.toLowerCase() === name ? each : [],
  );

/** Returns all values of a request header, joined by commas; undefined if it is missing. */
export const requestHeader = (event: APIGatewayProxyEvent, name: string): string | undefined => {
  const values = headerValues(event, name);
  return values.length > 0 ? values.join(', ') : undefined;
};

/**
 * Returns a path parameter after percent-decoding, because API Gateway passes it on as the client
 * wrote it.
 */
export const pathParameter = (event: APIGatewayProxyEvent, name: string): string => {
  const raw = event.pathParameters?.[name] ?? '';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
};
