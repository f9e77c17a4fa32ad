import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AccessRecord } from './access-log.ts';
import type { GatewayRequest } from './integrations/integration.ts';
import { GatewayResponseError, writeGatewayResponse } from './responses/gateway-response.ts';
import type { RestApi } from './rest-api.ts';
import { findRoute } from './route.ts';

const requestLimit = 10 * 1024 * 1024;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Serves a REST API below `/<stage name>`, as execute-api does, and logs each request when its
 * response has ended.
 */
export const gateway =
  (api: RestApi, log: (record: AccessRecord) => void = () => {}): RequestListener =>
  async (message, response) => {
    const startedAt = performance.now();
    const ids = {
      requestId: requestIdOf(message),
      extendedRequestId: randomBytes(11).toString('base64'),
    };
    response.setHeader('x-amzn-RequestId', ids.requestId);
    response.setHeader('x-amz-apigw-id', ids.extendedRequestId);
    const record: AccessRecord = {
      ...ids,
      requestTimeEpoch: Math.round(performance.timeOrigin + startedAt),
      httpMethod: message.method,
      path: message.url?.replace(/\?.*/s, ''),
      'identity.sourceIp': message.socket.remoteAddress,
      'identity.userAgent': message.headers['user-agent'],
    };
    response.once('close', () => {
      const responseLatency = Math.round(performance.now() - startedAt);
      log({
        ...record,
        status: response.headersSent ? response.statusCode : undefined,
        responseLatency,
      });
    });
    try {
      await respond(api, { ...ids, message }, response, record);
    } catch (error) {
      const isExpected = error instanceof GatewayResponseError;
      const hasLeft = message.destroyed && !message.complete;
      if (!isExpected && !hasLeft) {
        console.error(error);
      }
      const type = isExpected ? error.type : 'DEFAULT_5XX';
      record['error.responseType'] = type;
      writeGatewayResponse(response, type, api.gatewayResponses, ids.requestId);
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

/**
 * Finds the route of a request and lets the route respond. Adds the resource path and the key ID to
 * the record.
 */
const respond = async (
  api: RestApi,
  received: Pick<GatewayRequest, 'message' | 'requestId' | 'extendedRequestId'>,
  response: ServerResponse,
  record: AccessRecord,
): Promise<void> => {
  const { message } = received;
  const [fullPath = '', queryString] = (message.url ?? '').split(/\?(.*)/s);
  const [, stageName, path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(fullPath) ?? [];
  if (stageName !== api.stageName) {
    throw new GatewayResponseError('FORBIDDEN');
  }

  const found = findRoute(api.resources, message.method ?? '', path);
  if (!found) {
    // If no route matches, API Gateway parses an Authorization header as an AWS signature.
    const isSigned = message.headers.authorization;
    throw new GatewayResponseError(
      isSigned ? 'INCOMPLETE_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN',
    );
  }
  const { pathParameters } = found;
  const { allowsRequest, authorize, integrate, ...resource } = found.route;
  record.resourcePath = resource.resourcePath;
  if (!allowsRequest()) {
    throw new GatewayResponseError('THROTTLED');
  }
  const methodArn = `${api.arn}/${stageName}/${message.method}${path}`;
  // Read before the authorizer runs, so that a request that has arrived is handled even if its
  // client disconnects.
  const body = readBody(message);
  body.catch(() => {});
  const authorizer = await authorize?.(message.headers.authorization, methodArn);
  record['authorizer.keyId'] = authorizer?.keyId;
  const { id: restApiId, accountId } = api;
  const target = {
    restApiId,
    accountId,
    stageName,
    path,
    pathParameters,
    query: new URLSearchParams(queryString),
  };
  await integrate({ ...received, ...resource, ...target, body: await body, authorizer }, response);
};

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += chunk.length;
    // The rest of a body that is too long is read and dropped: a cut connection could reach the
    // client before the 413.
    chunks.push(...(length > requestLimit ? [] : [chunk]));
  }
  if (length > requestLimit) {
    throw new GatewayResponseError('CONTENT_TOO_LONG');
  }
  return Buffer.concat(chunks);
};
