import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { localAccount } from '../../infra/assembly/resolved-stack.ts';
import { type AccessRecord, accessRecord, type Progress } from './access-log.ts';
import { FixedResponse, GatewayResponseError, writeGatewayResponse } from './gateway-response.ts';
import type { RestApi } from './rest-api.ts';
import { findRoute } from './route.ts';

const requestLimit = 10 * 1024 * 1024;

const json = { 'Content-Type': 'application/json' };

/** Serves a REST API below `/<stage name>`, as execute-api does, and logs each request when its answer has ended. */
export const gateway =
  (api: RestApi, log: (record: AccessRecord) => void = () => {}): RequestListener =>
  async (message, response) => {
    const { remoteAddress: sourceIp } = message.socket;
    const progress: Progress = { requestId: randomUUID(), startedAt: performance.now(), sourceIp };
    response.setHeader('x-amzn-RequestId', progress.requestId);
    response.once('close', () => log(accessRecord(message, response, progress)));
    try {
      await answer(api, message, response, progress);
    } catch (error) {
      if (error instanceof FixedResponse) {
        response.writeHead(error.status, error.headers).end(error.message);
        return;
      }
      // Nobody is there to be answered, and it is no failure of the gateway.
      const hasLeft = message.destroyed && !message.complete;
      if (hasLeft) {
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

const answer = async (api: RestApi, message: IncomingMessage, response: ServerResponse, progress: Progress) => {
  const [target = '', queryString] = (message.url ?? '').split(/\?(.*)/s);
  const [, stageName, path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(target) ?? [];
  if (stageName !== api.stageName) {
    throw new FixedResponse(403, { ...json, 'x-amzn-ErrorType': 'ForbiddenException' }, '{"message":"Forbidden"}');
  }

  const found = findRoute(api, message.method ?? '', path);
  if (!found && message.headers.authorization) {
    // It takes the header for a signature of AWS's own.
    const errorType = { 'x-amzn-ErrorType': 'IncompleteSignatureException' };
    const reason = 'Invalid key=value pair (missing equal-sign) in Authorization header';
    throw new FixedResponse(403, { ...json, ...errorType }, JSON.stringify({ message: reason }));
  }
  if (!found) {
    throw new GatewayResponseError('MISSING_AUTHENTICATION_TOKEN');
  }
  if (!api.allowsRequest()) {
    throw new GatewayResponseError('THROTTLED');
  }
  const { route, pathParameters } = found;
  const { accountId, region } = localAccount;
  const methodArn = `arn:aws:execute-api:${region}:${accountId}:${route.restApiId}/${stageName}/${message.method}${path}`;
  progress.operationName = route.operationName;
  const authorizer = await route.authorize?.(message.headers.authorization, methodArn);
  progress.keyId = authorizer?.keyId;
  const query = new URLSearchParams(queryString);
  const body = await readBody(message);
  await route.integrate(
    { message, requestId: progress.requestId, stageName, path, query, body, route, pathParameters },
    authorizer,
    response,
  );
};

const readBody = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    length += chunk.length;
    if (length > requestLimit) {
      throw new FixedResponse(
        413,
        { 'Content-Type': 'text/plain' },
        `HTTP content length exceeded ${requestLimit} bytes.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
