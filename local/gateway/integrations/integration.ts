import type { IncomingMessage, ServerResponse } from 'node:http';

/** What an allowed request carries on: `requestContext.authorizer`. All values are strings. */
export type AuthorizerContext = Record<string, string>;

/** A request as the gateway has understood it. */
export interface GatewayRequest {
  message: IncomingMessage;
  requestId: string;
  extendedRequestId: string;
  restApiId: string;
  accountId: string;
  resourceId: string;
  /** As in the template: `/v1/inventory/{petId}`. */
  resourcePath: string;
  stageName: string;
  /** The path behind the stage, as the client wrote it. */
  path: string;
  pathParameters: Record<string, string>;
  query: URLSearchParams;
  body: Buffer;
  /** Of a method with an authorizer. */
  authorizer: AuthorizerContext | undefined;
}

/**
 * Responds to a request that was let through.
 * @throws GatewayResponseError before anything is sent
 */
export type Integration = (request: GatewayRequest, response: ServerResponse) => Promise<void>;
