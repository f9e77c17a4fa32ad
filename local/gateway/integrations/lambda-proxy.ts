import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { localAccount } from '../../../infra/assembly/resolved-stack.ts';
import { EventTooLargeError, type LambdaFunction, NotPermittedError } from '../../lambda/lambda-function.ts';
import type { AuthorizerContext } from '../authorizer.ts';
import { GatewayResponseError, type GatewayResponseType } from '../gateway-response.ts';
import type { Route } from '../rest-api.ts';

/** A request as the gateway has understood it. */
export interface GatewayRequest {
  message: IncomingMessage;
  requestId: string;
  stageName: string;
  /** The path behind the stage, as the client wrote it. */
  path: string;
  query: URLSearchParams;
  body: Buffer;
  route: Route;
  pathParameters: Record<string, string>;
}

/** Answers a request that was let through. */
export type Integration = (
  request: GatewayRequest,
  authorizer: AuthorizerContext | undefined,
  response: ServerResponse,
) => Promise<void>;

/** The integration of type AWS_PROXY, buffered. */
export const lambdaProxy =
  (lambda: LambdaFunction, timeoutMs: number): Integration =>
  async (request, authorizer, response) => {
    writeProxyResult(response, await withTimeout(lambda.invoke(proxyEvent(request, authorizer)), timeoutMs));
  };

/** The result of an invocation, or the fault that the gateway answers with when there is none in time. */
export const withTimeout = <Result>(invocation: Promise<Result>, timeoutMs: number): Promise<Result> => {
  const timedOut = setTimeout(timeoutMs, undefined, { ref: false }).then(() => {
    throw new GatewayResponseError('INTEGRATION_TIMEOUT');
  });
  const invoked = invocation.catch((cause) => {
    throw new GatewayResponseError(faultOf(cause), { cause });
  });
  return Promise.race([invoked, timedOut]);
};

const faultOf = (error: unknown): GatewayResponseType => {
  if (error instanceof EventTooLargeError) {
    return 'REQUEST_TOO_LARGE';
  }
  return error instanceof NotPermittedError ? 'API_CONFIGURATION_ERROR' : 'DEFAULT_5XX';
};

/** An object, or null where there is nothing in it: API Gateway sends no empty maps. */
const orNull = <Value>(entries: [string, Value][]): Record<string, Value> | null =>
  entries.length > 0 ? Object.fromEntries(entries) : null;

/** All values of each name, in order; names in the client's spelling. */
const grouped = (pairs: Iterable<[string, string]>): [string, string[]][] => {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return [...values];
};

const last = ([name, values]: [string, string[]]): [string, string] => [name, values.at(-1) ?? ''];

/** The event of a Lambda proxy integration, format 1.0. */
export const proxyEvent = (request: GatewayRequest, authorizer: AuthorizerContext | undefined) => {
  const { message, route, requestId, stageName, path } = request;
  const { rawHeaders, socket } = message;
  const headers = grouped(
    rawHeaders.flatMap((name, i) => (i % 2 ? [] : [[name, rawHeaders[i + 1] ?? ''] as [string, string]])),
  );
  const query = grouped(request.query);
  const now = new Date();
  return {
    resource: route.resourcePath,
    path,
    httpMethod: message.method,
    headers: orNull(headers.map(last)),
    multiValueHeaders: orNull(headers),
    queryStringParameters: orNull(query.map(last)),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(Object.entries(request.pathParameters)),
    stageVariables: null,
    requestContext: {
      accountId: localAccount.accountId,
      apiId: route.restApiId,
      ...(authorizer && { authorizer }),
      domainName: message.headers.host,
      extendedRequestId: requestId,
      httpMethod: message.method,
      identity: { sourceIp: socket.remoteAddress, userAgent: message.headers['user-agent'] ?? null },
      path: `/${stageName}${path}`,
      protocol: `HTTP/${message.httpVersion}`,
      requestId,
      requestTime: now.toUTCString(),
      requestTimeEpoch: now.getTime(),
      resourceId: route.resourceId,
      resourcePath: route.resourcePath,
      stage: stageName,
    },
    body: request.body.length > 0 ? request.body.toString('utf8') : null,
    isBase64Encoded: false,
  };
};

interface ProxyResult {
  statusCode: number | string;
  headers?: Record<string, string | number | boolean> | null;
  multiValueHeaders?: Record<string, (string | number | boolean)[]> | null;
  body?: string | null;
  isBase64Encoded?: boolean;
}

const resultKeys = ['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded'];

const isProxyResult = (value: unknown): value is ProxyResult => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }
  const { statusCode, body } = value as ProxyResult;
  return (
    Object.keys(value).every((key) => resultKeys.includes(key)) &&
    /^[1-5]\d\d$/.test(String(statusCode)) &&
    (body === undefined || body === null || typeof body === 'string')
  );
};

/** Headers of an integration that API Gateway hands to the client under another name. */
const remapped = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'server',
  'user-agent',
  'www-authenticate',
]);

/** Answers with the result of a Lambda proxy integration. */
const writeProxyResult = (response: ServerResponse, result: unknown): void => {
  const { body, isBase64Encoded } = writeProxyHead(response, result);
  response.end(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'));
};

/** Sets the status and the headers of an answer to those of a proxy result. */
export const writeProxyHead = (response: ServerResponse, result: unknown): ProxyResult => {
  if (!isProxyResult(result)) {
    throw new GatewayResponseError('DEFAULT_5XX');
  }
  const { statusCode, headers, multiValueHeaders } = result;
  response.statusCode = Number(statusCode);
  response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries({ ...headers, ...multiValueHeaders })) {
    const values = [value].flat().map(String);
    response.setHeader(
      remapped.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name,
      values.length === 1 ? (values[0] ?? '') : values,
    );
  }
  return result;
};
