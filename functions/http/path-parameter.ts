import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A path parameter, percent-decoded: API Gateway hands it on as the client wrote it. */
export const pathParameter = (event: APIGatewayProxyEvent, name: string): string => {
  const raw = event.pathParameters?.[name] ?? '';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
};
