import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessRecord } from '../../log/access-log.ts';

/**
 * The authorizer's values for an allowed request, `requestContext.authorizer` in its event. All are
 * strings.
 */
export type AuthorizerContext = Record<string, string>;

/** A request as the gateway has parsed it. */
export interface GatewayRequest {
  message: IncomingMessage;
  requestId: string;
  extendedRequestId: string;
  restApiId: string;
  accountId: string;
  resourceId: string;
  /** Path as in the template, such as `/v1/inventory/{petId}`. */
  resourcePath: string;
  stageName: string;
  /** The path after the stage name, as the client sent it. */
  path: string;
  pathParameters: Record<string, string>;
  query: URLSearchParams;
  body: Buffer;
  /** Undefined if the method has no authorizer. */
  authorizer: AuthorizerContext | undefined;
  /** What is logged about the request. */
  record: AccessRecord;
}

/**
 * Responds to a request that was neither throttled nor denied.
 * @throws GatewayResponseError only before anything is sent
 */
export type Integration = (request: GatewayRequest, response: ServerResponse) => Promise<void>;
