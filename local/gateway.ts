import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { GatewayFault, writeGatewayResponse } from './gateway-response.ts';
import { findRoute, type RestApi } from './rest-api.ts';
import { localAccount } from './synthesized-stack.ts';

const requestLimit = 10 * 1024 * 1024;

/** Serves a REST API below `/<stage name>`, as execute-api does. */
export const gateway =
  (api: RestApi): RequestListener =>
  async (message, response) => {
    const requestId = randomUUID();
    response.setHeader('x-amzn-RequestId', requestId);
    try {
      await answer(api, message, response, requestId);
    } catch (error) {
      if (!(error instanceof GatewayFault)) {
        console.error(error);
      }
      const type = error instanceof GatewayFault ? error.type : 'DEFAULT_5XX';
      writeGatewayResponse(response, type, api.gatewayResponses, requestId);
    }
  };

const answer = async (api: RestApi, message: IncomingMessage, response: ServerResponse, requestId: string) => {
  const [target = '', queryString] = (message.url ?? '').split(/\?(.*)/s);
  const [, stageName, path = '/'] = /^\/([^/]*)(\/.*)?$/.exec(target) ?? [];
  if (stageName !== api.stageName) {
    response.writeHead(403, { 'Content-Type': 'application/json', 'x-amzn-ErrorType': 'ForbiddenException' });
    response.end('{"message":"Forbidden"}');
    return;
  }

  const found = findRoute(api, message.method ?? '', path);
  if (!found) {
    throw new GatewayFault('MISSING_AUTHENTICATION_TOKEN');
  }
  const { route, pathParameters } = found;
  const { accountId, region } = localAccount;
  const methodArn = `arn:aws:execute-api:${region}:${accountId}:${route.restApiId}/${stageName}/${message.method}${path}`;
  const authorizer = await route.authorize?.(message.headers.authorization, methodArn);
  const query = new URLSearchParams(queryString);
  const body = await readBody(message);
  await route.integrate(
    { message, requestId, stageName, path, query, body, route, pathParameters },
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
      throw new GatewayFault('REQUEST_TOO_LARGE');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
