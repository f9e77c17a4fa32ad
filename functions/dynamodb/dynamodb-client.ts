import type { ServiceInputTypes, ServiceOutputTypes, TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { Client } from '@smithy/core/client';
import { getRetryPlugin } from '@smithy/core/retry';
import type { EndpointV2, HttpRequest, Provider, RequestHandler } from '@smithy/types';
import { variable } from '../shared/environment.ts';
import { attemptTimeout, requestAttempts } from '../shared/time-limits.ts';
import { attemptBy, RetryStrategy, type SendOptions } from './attempts.ts';
import { connect } from './connect.ts';
import { inTurn } from './in-turn.ts';
import { commandRequest, type Output } from './wire-format.ts';

/** What the SDK's Client, its commands and its retries ask for. */
interface Config {
  apiVersion: string;
  requestHandler: RequestHandler<HttpRequest, Output, SendOptions>;
  endpointProvider: () => EndpointV2;
  ignoreConfiguredEndpointUrls: true;
  translateConfig: TranslateConfig;
  maxAttempts: Provider<number>;
  retryStrategy: Provider<RetryStrategy>;
}

export type DynamodbClient = Client<SendOptions, ServiceInputTypes, ServiceOutputTypes, Config>;

/**
 * Creates a client for the commands of client-dynamodb and lib-dynamodb: the Client that all of the
 * SDK's clients extend, with three middlewares (docs/decisions/0001-dynamodb-client.md). Call it
 * during init, so that its connection is kept from request to request.
 */
export const dynamodbClient = (maxAttempts: number): DynamodbClient => {
  // The template sets the endpoint, because CloudFormation knows the domain of each partition of
  // AWS.
  const url = new URL(variable('AWS_ENDPOINT_URL_DYNAMODB'));
  const connections = connect(url);
  const attempt = attemptBy(connections, { region: variable('AWS_REGION'), service: 'dynamodb' });
  const retryStrategy = new RetryStrategy(maxAttempts);

  const config: Config = {
    apiVersion: '2012-08-10',
    requestHandler: {
      handle: async (request, options = {}) => {
        const send = () => attempt(request, attemptTimeout, options);
        return { response: await inTurn(send, { elapsed: options.record?.elapsed }) };
      },
      destroy: connections.close,
    },
    // With these two, the commands neither compute an endpoint nor look for one in files.
    endpointProvider: () => ({ url }),
    ignoreConfiguredEndpointUrls: true,
    // Numbers are read as NumberValue, because a table may hold some that a JavaScript number would
    // round.
    translateConfig: { unmarshallOptions: { wrapNumbers: true } },
    maxAttempts: async () => maxAttempts,
    retryStrategy: async () => retryStrategy,
  };
  const client: DynamodbClient = new Client(config);

  // lib-dynamodb places its own middlewares relative to these, by their names.
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        next({ ...args, request: commandRequest(url, commandName, args.input) }),
    { step: 'serialize', name: 'serializerMiddleware' },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      const { response } = await next(args);
      return { response, output: response as never };
    },
    { step: 'deserialize', name: 'deserializerMiddleware' },
  );
  client.middlewareStack.use(getRetryPlugin(config));
  return client;
};

/** The client that functions share. */
export const client = dynamodbClient(requestAttempts);
