import type { GatewayRequest } from './integration.ts';

type Pair = [name: string, value: string];

/**
 * Returns an object of these entries, or null if there are none, because API Gateway sends no empty
 * maps.
 */
const orNull = <Value>(entries: [string, Value][]): Record<string, Value> | null =>
  entries.length > 0 ? Object.fromEntries(entries) : null;

/**
 * Returns each name's last value, and each name's values in order. Names keep the client's
 * spelling.
 */
const lastAndAll = (pairs: Pair[]) => {
  const all = [...Map.groupBy(pairs, ([name]) => name)];
  return {
    last: orNull(all.map(([name, values]) => [name, values.at(-1)?.[1]])),
    all: orNull(all.map(([name, values]) => [name, values.map(([, value]) => value)])),
  };
};

/** Returns the names and values that alternate in a message's raw headers, in pairs. */
const pairsOf = (rawHeaders: string[]): Pair[] =>
  rawHeaders.flatMap((name, i): Pair[] => {
    const isName = i % 2 === 0;
    return isName ? [[name, rawHeaders[i + 1] ?? '']] : [];
  });

/** Builds the event of a Lambda proxy integration, payload format 1.0. */
export const proxyEvent = (request: GatewayRequest) => {
  const {
    message,
    requestId,
    extendedRequestId,
    restApiId,
    resourceId,
    resourcePath,
    stageName,
    path,
  } = request;
  const { rawHeaders, socket } = message;
  const headers = lastAndAll(pairsOf(rawHeaders));
  const query = lastAndAll([...request.query]);
  const now = new Date();
  return {
    resource: resourcePath,
    path,
    httpMethod: message.method,
    headers: headers.last,
    multiValueHeaders: headers.all,
    queryStringParameters: query.last,
    multiValueQueryStringParameters: query.all,
    pathParameters: orNull(Object.entries(request.pathParameters)),
    stageVariables: null,
    requestContext: {
      accountId: request.accountId,
      apiId: restApiId,
      ...(request.authorizer && { authorizer: request.authorizer }),
      domainName: message.headers.host,
      extendedRequestId,
      httpMethod: message.method,
      identity: {
        sourceIp: socket.remoteAddress,
        userAgent: message.headers['user-agent'] ?? null,
      },
      path: `/${stageName}${path}`,
      protocol: `HTTP/${message.httpVersion}`,
      requestId,
      requestTime: now
        .toUTCString()
        .replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000'),
      requestTimeEpoch: now.getTime(),
      resourceId,
      resourcePath,
      stage: stageName,
    },
    body: request.body.length > 0 ? request.body.toString('utf8') : null,
    isBase64Encoded: false,
  };
};
