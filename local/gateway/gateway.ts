import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AccessRecord } from '../log/access-log.ts';
import { printFailure } from '../log/print.ts';
import { GatewayResponseError, writeGatewayResponse } from './responses/gateway-response.ts';
import type { RestApi } from './rest-api.ts';
import { findRoute } from './route.ts';

/** The most bytes of a body that API Gateway accepts. */
const bodyLimit = 10 * 1024 * 1024;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A request on its way through the gateway. */
interface Exchange {
  api: RestApi;
  message: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  extendedRequestId: string;
  /** What is logged about the request. It is added to on the way. */
  record: AccessRecord;
}

/**
 * Serves a REST API below `/<stage name>`, as execute-api does, and logs each request when its
 * response has ended.
 */
export const gateway =
  (api: RestApi, log: (record: AccessRecord) => void = () => {}): RequestListener =>
  async (message, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(message);
    const extendedRequestId = randomBytes(11).toString('base64');
    response.setHeader('x-amzn-RequestId', requestId);
    response.setHeader('x-amz-apigw-id', extendedRequestId);
    const record: AccessRecord = {
      requestId,
      extendedRequestId,
      requestTimeEpoch: Math.round(performance.timeOrigin + startedAt),
      httpMethod: message.method,
      path: message.url?.replace(/\?.*/s, ''),
      stage: api.stageName,
      'identity.sourceIp': message.socket.remoteAddress,
      'identity.userAgent': message.headers['user-agent'],
    };
    response.once('close', () => {
      record.status = response.headersSent ? response.statusCode : undefined;
      record.responseLatency = Math.round(performance.now() - startedAt);
      log(record);
    });

    const exchange = { api, message, response, requestId, extendedRequestId, record };
    try {
      await respond(exchange);
    } catch (error) {
      respondWithError(exchange, error);
    }
  };

/**
 * Returns the request ID: the client's if it is a UUID, a new one if it sent none. The extended ID
 * is always new.
 */
const requestIdOf = ({ headers }: IncomingMessage): string => {
  const requestId = String(headers['x-amzn-requestid'] ?? randomUUID());
  return uuid.test(requestId) ? requestId : 'UUID_REPLACED_INVALID_REQUEST_ID';
};

/** Responds to a request with its route. Completes the record on the way. */
const respond = async (exchange: Exchange): Promise<void> => {
  const { api, message, response, requestId, extendedRequestId, record } = exchange;
  const { stageName, path, query } = readTarget(message);
  if (stageName !== api.stageName) {
    throw new GatewayResponseError('FORBIDDEN');
  }
  const { route, pathParameters } = routeOf(api, message, path);
  record.resourcePath = route.resourcePath;
  if (!route.allowsRequest()) {
    throw new GatewayResponseError('THROTTLED');
  }

  // Read before the authorizer runs, so that a request that has arrived is handled even if its
  // client disconnects.
  const body = readBody(message);
  // A body that fails while the authorizer runs is reported below. Until then, nobody waits for it,
  // and Node would end the process.
  body.catch(() => {});
  const methodArn = `${api.arn}/${stageName}/${message.method}${path}`;
  const authorizer = await route.authorizer?.authorize(tokenOf(message), methodArn);
  record['authorizer.keyId'] = authorizer?.keyId;
  await route.integrate(
    {
      message,
      requestId,
      extendedRequestId,
      restApiId: api.id,
      accountId: api.accountId,
      resourceId: route.resourceId,
      resourcePath: route.resourcePath,
      stageName,
      path,
      pathParameters,
      query,
      body: await body,
      authorizer,
      record,
    },
    response,
  );
};

/**
 * Returns the Authorization header, if there is exactly one. Which of several API Gateway takes is
 * not known, so no client may send them.
 */
const tokenOf = ({ headersDistinct }: IncomingMessage): string | undefined => {
  const { authorization: [token, ...others] = [] } = headersDistinct;
  return others.length === 0 ? token : undefined;
};

/** Takes a request's URL apart: `/<stage name><path>?<query>`. */
const readTarget = ({ url = '' }: IncomingMessage) => {
  const [fullPath = '', queryString] = url.split(/\?(.*)/s);
  const [, stageName, path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(fullPath) ?? [];
  return { stageName, path, query: new URLSearchParams(queryString) };
};

const routeOf = (api: RestApi, message: IncomingMessage, path: string) => {
  const found = findRoute(api.resources, message.method ?? '', path);
  if (found) {
    return found;
  }
  // If no route matches, API Gateway parses an Authorization header as an AWS signature.
  const isSigned = Boolean(message.headers.authorization);
  throw new GatewayResponseError(
    isSigned ? 'INCOMPLETE_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN',
  );
};

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += chunk.length;
    // The rest of a body that is too long is read and dropped: a cut connection could reach the
    // client before the 413.
    if (length <= bodyLimit) {
      chunks.push(chunk);
    }
  }
  if (length > bodyLimit) {
    throw new GatewayResponseError('CONTENT_TOO_LONG');
  }
  return Buffer.concat(chunks);
};

const respondWithError = (exchange: Exchange, error: unknown): void => {
  const { api, message, response, requestId, record } = exchange;
  const isGatewayResponse = error instanceof GatewayResponseError;
  const hasClientLeft = message.destroyed && !message.complete;
  if (!isGatewayResponse && !hasClientLeft) {
    printFailure(error);
  }
  const type = isGatewayResponse ? error.type : 'DEFAULT_5XX';
  record['error.responseType'] = type;
  writeGatewayResponse({
    response,
    record,
    type,
    customized: api.gatewayResponses,
    requestId,
  });
};
