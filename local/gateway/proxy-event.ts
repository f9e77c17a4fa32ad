import type { GatewayRequest } from './route.ts';

type Pair = [name: string, value: string];

/** Returns an object of these entries, or null for none: API Gateway sends no empty maps. */
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
  const { message, record, resourcePath, stageName, path, body } = request;
  const headers = lastAndAll(pairsOf(message.rawHeaders));
  const query = lastAndAll([...request.query]);
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
      authorizer: request.authorizer,
      domainName: message.headers.host,
      extendedRequestId: record.extendedRequestId,
      httpMethod: message.method,
      identity: {
        sourceIp: message.socket.remoteAddress,
        userAgent: message.headers['user-agent'] ?? null,
      },
      path: `/${stageName}${path}`,
      protocol: `HTTP/${message.httpVersion}`,
      requestId: record.requestId,
      requestTimeEpoch: Date.now(),
      resourcePath,
      stage: stageName,
    },
    body: body.length > 0 ? body.toString('utf8') : null,
    isBase64Encoded: false,
  };
};
