import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InstanceOptions } from '../../../local/lambda/instance.ts';
import type { PoolOptions } from '../../../local/lambda/instance-pool.ts';
import { lambdaFunction } from '../../../local/lambda/lambda-function.ts';
import { atEnd } from '../process/at-end.ts';

export const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:fixture';

/** The directory of the code of all functions of a test file. */
export const taskRoot = mkdtempSync(join(tmpdir(), 'petstore-function-'));
atEnd(() => rmSync(taskRoot, { recursive: true, force: true }));

/** Stores the code of a function and returns the name of its handler. */
export const storeCode = (code: string): string => {
  const name = randomUUID();
  writeFileSync(join(taskRoot, `${name}.js`), code);
  return `${name}.handler`;
};

/** Returns the options of an instance that runs this code. */
export const optionsFor = (code: string): InstanceOptions => ({
  functionArn,
  environment: {
    _HANDLER: storeCode(code),
    LAMBDA_TASK_ROOT: taskRoot,
    AWS_LAMBDA_FUNCTION_NAME: 'fixture',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
  },
  timeoutSeconds: 30,
  log: () => {},
});

/** Returns a function that runs this code, and the lines that it logs. */
export const startFunction = (code: string, options: Partial<PoolOptions> = {}) => {
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const lambda = lambdaFunction({ ...optionsFor(code), log, ...options });
  atEnd(lambda.close);
  return { ...lambda, logged };
};

/** The code of a function that evaluates its event as code and returns the result. */
export const evaluating = `
  const { setTimeout: sleep } = require('node:timers/promises');
  exports.handler = async (script, context) => eval(script);`;

/** The code of a function that streams what its event, which it evaluates as code, writes. */
export const streaming = `
  const { pipeline } = require('node:stream/promises');
  exports.handler = awslambda.streamifyResponse(async (script, response) => {
    const stream = awslambda.HttpResponseStream.from(response, { statusCode: 200 });
    const begin = () => new Promise((resolve) => stream.write('a', () => setTimeout(resolve, 50)));
    await eval(script);
  });`;

/** Scripts for the code above. */
export const streamPid = 'stream.write(String(process.pid)); stream.end();';
export const streamMegabytes = (count: number) =>
  `pipeline(Array(${count}).fill(Buffer.alloc(1024 * 1024)), stream)`;
