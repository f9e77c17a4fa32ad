import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { InstanceOptions } from '../../../local/lambda/instance.ts';
import { EmulatedFunction, type FunctionOptions } from '../../../local/lambda/lambda-function.ts';
import { atEnd } from '../process/at-end.ts';

const taskRoot = mkdtempSync(join(tmpdir(), 'petstore-function-'));
atEnd(() => rmSync(taskRoot, { recursive: true, force: true }));

/** The code of a function that evaluates its event as code, and returns or streams the result. */
const evaluating = `
  const { setTimeout: sleep } = require('node:timers/promises');
  const { pipeline } = require('node:stream/promises');
  const megabytes = (count) => Array(count).fill(Buffer.alloc(1024 * 1024));
  exports.buffered = async (script, context) => eval(script);
  exports.streaming = awslambda.streamifyResponse(async (script, response, context) => {
    const stream = awslambda.HttpResponseStream.from(response, { statusCode: 200 });
    await eval(script);
  });`;

/** Returns the options of an instance that runs this code. */
export const optionsFor = (
  handler: 'buffered' | 'streaming' = 'buffered',
  code = evaluating,
): InstanceOptions => {
  const module = crypto.randomUUID();
  writeFileSync(join(taskRoot, `${module}.js`), code);
  return {
    name: 'fixture',
    environment: {
      _HANDLER: `${module}.${handler}`,
      LAMBDA_TASK_ROOT: taskRoot,
      AWS_LAMBDA_FUNCTION_NAME: 'fixture',
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_LOG_GROUP_NAME: 'log-group',
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
    },
    timeoutSeconds: 30,
    log: () => {},
  };
};

/** Starts a function. Returns it, and the lines that it has logged. */
export const startFunction = (options: Partial<FunctionOptions> = {}) => {
  const logged: string[] = [];
  const lambda = new EmulatedFunction({
    ...optionsFor(),
    log: (line) => void logged.push(line),
    ...options,
  });
  atEnd(() => lambda.close());
  return { lambda, invoke: (script: string) => lambda.invoke(script), logged };
};

/** Starts a function whose results are read as a whole. */
export const startStreaming = (options: Partial<FunctionOptions> = {}) => {
  const { lambda } = startFunction({ ...optionsFor('streaming'), ...options });
  const open = (script: string) => lambda.invokeStreaming(script);
  return { open, read: async (script: string) => text(await open(script)) };
};
