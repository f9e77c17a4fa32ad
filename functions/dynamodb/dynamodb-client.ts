import type { ServiceInputTypes, ServiceOutputTypes, TranslateConfig } from '@aws-sdk/lib-dynamodb';
import { Client } from '@smithy/core/client';
import { getRetryPlugin } from '@smithy/core/retry';
import type { EndpointV2, HttpRequest, Provider, RequestHandler } from '@smithy/types';
import type { RequestRecord } from '../observability/request-log.ts';
import { variable } from '../shared/environment.ts';
import { attemptTimeout, requestAttempts } from '../shared/time-limits.ts';
import { type Connections, connect, type Exchange } from './connect.ts';
import { failedWithReceipt, RetryStrategy } from './retries.ts';
import { signer } from './signer.ts';
import { commandRequest, type Output, readOutput } from './wire-format.ts';

/** How a command belongs to the request that it is sent for: the options of `client.send()`. */
export interface SendOptions extends Pick<Exchange, 'abortSignal'> {
  /** Is told why attempts have failed, and how many followed. */
  record?: Partial<Pick<RequestRecord, 'failedAttempt' | 'retries'>>;
  /** Whether a receipt tells what has become of it, so that it can always be repeated. */
  hasReceipt?: boolean;
  /** Makes the output an UnparsedOutput, whose bytes are in this buffer. */
  buffer?: Exchange['buffer'];
}

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
  const retryStrategy = new RetryStrategy({ maxAttempts });

  const config: Config = {
    apiVersion: '2012-08-10',
    requestHandler: { handle: attemptBy(connections), destroy: connections.close },
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

/** Returns a function that makes one attempt: it signs a request, sends it and reads its output. */
const attemptBy = (connections: Connections) => {
  const sign = signer({ region: variable('AWS_REGION'), service: 'dynamodb' });
  return async (
    request: HttpRequest,
    { record = {}, hasReceipt = false, ...options }: SendOptions = {},
  ) => {
    noteIfRetry(record, request);
    const signed = await sign(request);
    try {
      const response = await connections.send(signed, { ...options, timeout: attemptTimeout });
      return { response: readOutput(response, options.buffer !== undefined) };
    } catch (error) {
      // An attempt that was given up has not failed.
      if (!options.abortSignal?.aborted) {
        record.failedAttempt = error;
      }
      if (hasReceipt) {
        failedWithReceipt.add(error as Error);
      }
      throw error;
    }
  };
};

const sentBefore = new WeakSet<HttpRequest>();

const noteIfRetry = (record: NonNullable<SendOptions['record']>, request: HttpRequest): void => {
  if (sentBefore.has(request)) {
    record.retries = (record.retries ?? 0) + 1;
  }
  sentBefore.add(request);
};

/** The client that functions share. */
export const client = dynamodbClient(requestAttempts);
