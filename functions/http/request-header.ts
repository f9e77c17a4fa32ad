import type { APIGatewayProxyEvent } from 'aws-lambda';

/** All values of a request header, in whatever case the client has spelt it; empty without it. */
export const requestHeader = ({ multiValueHeaders }: APIGatewayProxyEvent, name: string): string =>
  Object.entries(multiValueHeaders ?? {})
    .flatMap(([spelling, values = []]) => (spelling.toLowerCase() === name ? values : []))
    .join(', ');
