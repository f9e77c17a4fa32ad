import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AccessRecord, errorCodeIn } from '../log/access-log.ts';
import { printFailure } from '../log/print.ts';
import { accountId, region } from '../shared/account.ts';
import { type ApiResponse, GatewayResponseError, gatewayResponse } from './gateway-response.ts';
import type { RestApi } from './rest-api.ts';
import { findRoute } from './route.ts';

/** The most bytes of a body that API Gateway accepts. */
const bodyLimit = 10 * 1024 * 1024;

/**
 * Serves a REST API below `/<stage name>`, as execute-api does, and logs each request when its
 * response has ended.
 */
export const gateway =
  (api: RestApi, log: (record: AccessRecord) => void = () => {}): RequestListener =>
  async (message, response) => {
    const startedAt = performance.now();
    const record = recordOf(message, api);
    response.once('close', () => {
      record.status = response.headersSent ? response.statusCode : undefined;
      record.responseLatency = Math.round(performance.now() - startedAt);
      log(record);
    });
    const toResponse = (error: unknown) => responseToError(api, message, record, error);
    const result = await respond(api, message, record).catch(toResponse);
    // A function that is being changed may return no status.
    await send(response, record, result).catch((error) =>
      send(response, record, toResponse(error)),
    );
    if (result.body instanceof Readable) {
      // One whose client had left before would keep its function busy.
      result.body.destroy();
    }
  };

const recordOf = (
  { method, url, headers, socket }: IncomingMessage,
  api: RestApi,
): AccessRecord => ({
  requestId: randomUUID(),
  extendedRequestId: randomBytes(11).toString('base64'),
  requestTimeEpoch: Date.now(),
  httpMethod: method,
  path: url?.replace(/\?.*/s, ''),
  stage: api.stageName,
  'identity.sourceIp': socket.remoteAddress,
  'identity.userAgent': headers['user-agent'],
});

/** Returns the response to a request. Completes the record on the way. */
const respond = async (
  api: RestApi,
  message: IncomingMessage,
  record: AccessRecord,
): Promise<ApiResponse> => {
  const { stageName, path, query } = readTarget(message);
  if (stageName !== api.stageName) {
    throw new GatewayResponseError('FORBIDDEN');
  }
  const { method = '' } = message;
  const { route, pathParameters } = findRoute(api.resources, method, path);
  const { resourcePath } = route;
  record.resourcePath = resourcePath;
  if (!route.allowsRequest()) {
    throw new GatewayResponseError('THROTTLED');
  }

  // Read before the authorizer runs, so that a request that has arrived is handled even if its
  // client disconnects.
  const body = readBody(message);
  // A body that fails while the authorizer runs is reported below. Until then, nobody waits for it,
  // and Node would end the process.
  body.catch(() => {});
  const methodArn = `arn:aws:execute-api:${region}:${accountId}:local/${stageName}/${method}${path}`;
  const authorizer = await route.authorizer?.authorize(message.headers.authorization, methodArn);
  record['authorizer.keyId'] = authorizer?.keyId;
  return route.integrate({
    message,
    resourcePath,
    stageName,
    path,
    pathParameters,
    query,
    body: await body,
    authorizer,
    record,
  });
};

/** Takes a request's URL apart: `/<stage name><path>?<query>`. */
const readTarget = ({ url = '' }: IncomingMessage) => {
  const [fullPath = '', queryString] = url.split(/\?(.*)/s);
  const [, stageName = '', path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(fullPath) ?? [];
  return { stageName, path, query: new URLSearchParams(queryString) };
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
    throw new GatewayResponseError('REQUEST_TOO_LARGE');
  }
  return Buffer.concat(chunks);
};

const responseToError = (
  api: RestApi,
  message: IncomingMessage,
  record: AccessRecord,
  error: unknown,
): ApiResponse => {
  const isExpected = error instanceof GatewayResponseError;
  const hasClientLeft = message.destroyed && !message.complete;
  if (!isExpected && !hasClientLeft) {
    printFailure(error);
  }
  const type = isExpected ? error.type : 'DEFAULT_5XX';
  record['error.responseType'] = type;
  return gatewayResponse(api.gatewayResponses, type);
};

const send = async (
  response: ServerResponse,
  record: AccessRecord,
  { status, headers, body }: ApiResponse,
): Promise<void> => {
  response.statusCode = status;
  response.setHeaders(
    new Map(
      Object.entries({
        'x-amzn-RequestId': String(record.requestId),
        'x-amz-apigw-id': String(record.extendedRequestId),
        ...headers,
      }),
    ),
  );
  if (body instanceof Readable) {
    // The log has this status, so the client gets it whatever comes next.
    response.flushHeaders();
    // The status has been sent, so only a cut connection can tell the client of a failure. The
    // function has logged why.
    await pipeline(body, response).catch(() => {});
    return;
  }
  record.errorCode = errorCodeIn(body);
  response.end(body);
};
