import { Writable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

/** Loads a function in this process as Lambda would: with its environment, of which DynamoDB's endpoint is one. */
export const loadFunction = async (name: string, environment: Record<string, string>) => {
  Object.assign(process.env, {
    STAGE_NAME: 'staging',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '7',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...environment,
  });
  Object.assign(globalThis, { awslambda });
  return (await import(`../../functions/${name}.ts`)).handler;
};

/** A response to be streamed, as Lambda's runtime gives it to a function: nobody may destroy it. */
export class ResponseStream extends Writable {
  metadata: { statusCode: number; headers: Record<string, string> } | undefined;
  readonly chunks: Buffer[] = [];
  /** Whether the client reads. */
  reading = true;
  #go = () => {};

  override _write(chunk: Buffer, _encoding: string, written: () => void): void {
    this.chunks.push(chunk);
    this.#go = written;
    if (this.reading) {
      written();
    }
  }

  read(): void {
    this.reading = true;
    this.#go();
  }

  /** What came of the body so far. */
  get text(): string {
    const bytes = Buffer.concat(this.chunks);
    return String(this.metadata?.headers['Content-Encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
  }
}

export const awslambda = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from: (stream: ResponseStream, metadata: ResponseStream['metadata']) => Object.assign(stream, { metadata }),
  },
};

/** The context of an invocation that has so many milliseconds. */
export const contextWith = (milliseconds: number): Context => {
  const endsAt = Date.now() + milliseconds;
  return { getRemainingTimeInMillis: () => endsAt - Date.now() } as Context;
};

const requestContext = {
  requestId: 'request-1',
  extendedRequestId: 'extended-1',
  authorizer: { keyId: 'key-1' },
};

/** What of an API Gateway event differs from request to request. */
export interface RequestParts {
  headers?: Record<string, string[]>;
  petId?: string;
  body?: string | null;
  isBase64Encoded?: boolean;
}

export const eventOf = ({ headers = {}, petId, body = null, isBase64Encoded = false }: RequestParts) =>
  ({
    requestContext,
    multiValueHeaders: headers,
    pathParameters: petId === undefined ? null : { petId },
    body,
    isBase64Encoded,
  }) as unknown as APIGatewayProxyEvent;

const json = { 'Content-Type': ['application/json'] };

export const patchEvent = (petId: string, body: string | null, headers: Record<string, string[]> = json) =>
  eventOf({ petId, body, headers });

/** An Error response. */
export const errorResult = (status: number, code: string, message: string, headers = {}): APIGatewayProxyResult => ({
  statusCode: status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify({ code, message, status }),
});
