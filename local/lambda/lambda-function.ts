import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline, type Readable, Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { localAccount, type SynthesizedStack } from '../../infra/assembly/resolved-stack.ts';
import { localCredentials } from '../tables/tables.ts';

/** Lambda's limit for the event and for a buffered result. */
export const payloadLimit = 6_291_556;

/** Lambda's limit for a streamed result. */
const streamLimit = 200 * 1024 * 1024;

/** Lambda starts instances without end; a laptop does not. Invocations beyond them wait. */
const maxInstances = 10;

/** The function threw, timed out, answered too much, or its process died. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/** The event is larger than Lambda takes. */
export class EventTooLargeError extends FunctionError {}

/** The caller may not invoke the function. */
export class NotPermittedError extends FunctionError {}

export interface LambdaFunction {
  arn: string;
  /** @throws FunctionError */
  invoke(event: unknown): Promise<unknown>;
  /**
   * The result as it comes. It is destroyed when the function breaks off; destroyed by the reader, it lets
   * the function know that nobody reads any more.
   * @throws FunctionError what happens before the first byte
   */
  invokeStreaming(event: unknown): Promise<Readable>;
  close(): void;
}

interface FunctionProperties {
  Code: { S3Key: string };
  Handler: string;
  Environment?: { Variables: Record<string, string> };
  MemorySize: number;
  Timeout: number;
}

interface Instance {
  process: ChildProcess;
  port: number;
  /** Called when the invocation under way is over, one way or another. */
  done: () => void;
}

/** Every function of the stack by its ARN and those of its aliases, with the bundle and the environment of the template. */
export const lambdaFunctions = (
  stack: SynthesizedStack,
  dynamodbEndpoint: string,
  log: (line: string) => void,
): Map<string, LambdaFunction> => {
  const functions = new Map(
    [...stack.resources<FunctionProperties>('AWS::Lambda::Function')].map(([logicalId, properties]) => {
      const name = stack.ref(logicalId);
      const arn = `arn:aws:lambda:${localAccount.region}:${localAccount.accountId}:function:${name}`;
      const environment = {
        PATH: process.env.PATH ?? '',
        TZ: ':UTC',
        _HANDLER: properties.Handler,
        LAMBDA_TASK_ROOT: stack.assetDirectory(properties.Code.S3Key),
        AWS_LAMBDA_FUNCTION_NAME: name,
        AWS_LAMBDA_FUNCTION_VERSION: '1',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
        AWS_REGION: localAccount.region,
        AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
        ...properties.Environment?.Variables,
        AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
      };
      return [arn, lambdaFunction(arn, environment, properties.Timeout, log)];
    }),
  );
  for (const logicalId of stack.resources('AWS::Lambda::Alias').keys()) {
    const arn = stack.ref(logicalId);
    const lambda = functions.get(arn.replace(/:\w+$/, ''));
    if (lambda) {
      functions.set(arn, lambda);
    }
  }
  return functions;
};

const lambdaFunction = (
  arn: string,
  environment: NodeJS.ProcessEnv,
  timeoutSeconds: number,
  log: (line: string) => void,
): LambdaFunction => {
  const agent = new Agent({ keepAlive: true });
  const instances = new Set<ChildProcess>();
  const idle: Instance[] = [];
  const waiting: (() => void)[] = [];

  const startInstance = async (): Promise<Instance> => {
    // The argument is for those who look at the processes.
    const child = fork(join(import.meta.dirname, 'lambda-runtime.ts'), [arn], {
      env: environment,
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output as Readable }).on('line', log);
    }
    instances.add(child);
    child.once('exit', () => {
      instances.delete(child);
      waiting.shift()?.();
    });
    const port = await new Promise<number>((resolve, reject) => {
      child.once('message', (message) => resolve(Number(message)));
      child.once('exit', () => reject(new FunctionError('The function failed at init.')));
    });
    const instance: Instance = { process: child, port, done: () => {} };
    child.on('message', () => {
      instance.done();
      idle.push(instance);
      waiting.shift()?.();
    });
    child.once('exit', () => instance.done());
    return instance;
  };

  const acquireInstance = async (): Promise<Instance> => {
    for (;;) {
      const instance = idle.pop();
      if (instance === undefined && instances.size < maxInstances) {
        return startInstance();
      }
      if (instance === undefined) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else if (instances.has(instance.process)) {
        return instance;
      }
    }
  };

  const send = ({ port }: Instance, payload: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = {
        'Lambda-Runtime-Aws-Request-Id': randomUUID(),
        'Lambda-Runtime-Deadline-Ms': Date.now() + timeoutSeconds * 1000,
        'Lambda-Runtime-Invoked-Function-Arn': arn,
      };
      request({ host: '127.0.0.1', port, method: 'POST', agent, headers }, resolve).on('error', reject).end(payload);
    });

  /** Invokes an instance and waits for the first of its result; `over` is when the instance can be invoked again. */
  const begin = async (event: unknown): Promise<{ response: IncomingMessage; over: Promise<void> }> => {
    const payload = JSON.stringify(event);
    if (Buffer.byteLength(payload) > payloadLimit) {
      throw new EventTooLargeError(`The event is larger than ${payloadLimit} bytes.`);
    }
    const instance = await acquireInstance();
    // Lambda ends an instance that is out of time.
    const timer = setTimeout(() => instance.process.kill('SIGKILL'), timeoutSeconds * 1000);
    const over = new Promise<void>((resolve) => {
      instance.done = resolve;
    }).finally(() => clearTimeout(timer));
    const response = await send(instance, payload).catch(died);
    if (response.headers['x-amz-function-error']) {
      const { errorMessage } = JSON.parse(await text(response).catch(died)) as { errorMessage: string };
      await over;
      throw new FunctionError(errorMessage);
    }
    return { response, over };
  };

  const died = (cause: unknown): never => {
    throw new FunctionError('The function timed out or its process ended.', { cause });
  };

  const invoke = async (event: unknown): Promise<unknown> => {
    const { response, over } = await begin(event);
    const result = await text(response).catch(died);
    // Whoever asks again at once is to find this instance, not to start another.
    await over;
    if (Buffer.byteLength(result) > payloadLimit) {
      throw new FunctionError(`The result is larger than ${payloadLimit} bytes.`);
    }
    return JSON.parse(result);
  };

  const invokeStreaming = async (event: unknown): Promise<Readable> => {
    let length = 0;
    const limit = new Transform({
      transform: (chunk: Buffer, _encoding, callback) => {
        length += chunk.length;
        callback(
          length > streamLimit ? new FunctionError(`The result is larger than ${streamLimit} bytes.`) : null,
          chunk,
        );
      },
    });
    const { response } = await begin(event);
    return pipeline(response, limit, () => {});
  };

  return {
    arn,
    invoke,
    invokeStreaming,
    close: () => {
      agent.destroy();
      for (const child of instances) {
        child.kill('SIGKILL');
      }
    },
  };
};
