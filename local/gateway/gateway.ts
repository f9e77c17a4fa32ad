import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { localAccount } from '../../infra/assembly/resolved-stack.ts';
import { type AccessRecord, accessRecord, type Progress } from './access-log.ts';
import {
  FixedResponse,
  GatewayResponseError,
  writeFixedResponse,
  writeGatewayResponse,
} from './responses/gateway-response.ts';
import type { RestApi } from './rest-api.ts';
import { findRoute } from './route.ts';

const requestLimit = 10 * 1024 * 1024;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Serves a REST API below `/<stage name>`, as execute-api does, and logs each request when its response has ended. */
export const gateway =
  (api: RestApi, log: (record: AccessRecord) => void = () => {}): RequestListener =>
  async (message, response) => {
    const progress: Progress = {
      requestId: requestIdOf(message),
      extendedRequestId: randomBytes(11).toString('base64'),
      startedAt: performance.now(),
      sourceIp: message.socket.remoteAddress,
    };
    response.setHeader('x-amzn-RequestId', progress.requestId);
    response.setHeader('x-amz-apigw-id', progress.extendedRequestId);
    response.once('close', () => log(accessRecord(message, response, progress)));
    try {
      await respond(api, message, response, progress);
    } catch (error) {
      if (error instanceof FixedResponse) {
        writeFixedResponse(response, error);
        return;
      }
      if (message.destroyed && !message.complete) {
        // The client has left in the middle of its request.
        return;
      }
      if (!(error instanceof GatewayResponseError)) {
        console.error(error);
      }
      const type = error instanceof GatewayResponseError ? error.type : 'DEFAULT_5XX';
      progress.responseType = type;
      writeGatewayResponse(response, type, api.gatewayResponses, progress.requestId);
    }
  };

/** A client may choose it, as long as it is a UUID. The extended one is always the gateway's. */
const requestIdOf = ({ headers }: IncomingMessage): string => {
  const chosen = headers['x-amzn-requestid'];
  if (chosen === undefined) {
    return randomUUID();
  }
  return uuid.test(String(chosen)) ? String(chosen) : 'UUID_REPLACED_INVALID_REQUEST_ID';
};

const respond = async (api: RestApi, message: IncomingMessage, response: ServerResponse, progress: Progress) => {
  const [target = '', queryString] = (message.url ?? '').split(/\?(.*)/s);
  const [, stageName, path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(target) ?? [];
  if (stageName !== api.stageName) {
    throw new FixedResponse(403, 'Forbidden', 'ForbiddenException');
  }

  const found = findRoute(api.resources, message.method ?? '', path);
  if (!found && message.headers.authorization) {
    // It takes the header for a signature of AWS's own.
    const message = 'Invalid key=value pair (missing equal-sign) in Authorization header';
    throw new FixedResponse(403, message, 'IncompleteSignatureException');
  }
  if (!found) {
    throw new GatewayResponseError('MISSING_AUTHENTICATION_TOKEN');
  }
  const { route, pathParameters } = found;
  const { allowsRequest, authorize, integrate, ...resource } = route;
  progress.resourcePath = resource.resourcePath;
  if (!allowsRequest()) {
    throw new GatewayResponseError('THROTTLED');
  }
  const { accountId, region } = localAccount;
  const methodArn = `arn:aws:execute-api:${region}:${accountId}:${api.id}/${stageName}/${message.method}${path}`;
  const authorizer = await authorize?.(message.headers.authorization, methodArn);
  progress.keyId = authorizer?.keyId;
  const { requestId, extendedRequestId } = progress;
  const request = {
    ...resource,
    message,
    requestId,
    extendedRequestId,
    restApiId: api.id,
    stageName,
    path,
    pathParameters,
    query: new URLSearchParams(queryString),
    body: await readBody(message),
    authorizer,
  };
  await integrate(request, response);
};

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += chunk.length;
    if (length > requestLimit) {
      throw new FixedResponse(413, `HTTP content length exceeded ${requestLimit} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
