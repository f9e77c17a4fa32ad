import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FunctionOptions, lambdaFunction } from '../../../local/lambda/lambda-function.ts';
import { atEnd } from '../../support/at-end.ts';

const directory = mkdtempSync(join(tmpdir(), 'petstore-function-'));

export const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:fixture';
/** What starts an instance of a function with the given code. */
export const optionsFor = (code: string) => {
  const name = randomUUID();
  writeFileSync(join(directory, `${name}.js`), code);
  const environment = { _HANDLER: `${name}.handler`, LAMBDA_TASK_ROOT: directory, AWS_LAMBDA_LOG_FORMAT: 'JSON' };
  return { functionArn, environment, timeoutSeconds: 30, log: () => {} };
};

/** A function of the given code, and the lines that it logs. */
export const serve = (code: string, options: Partial<FunctionOptions> = {}) => {
  const logged: string[] = [];
  const lambda = lambdaFunction({ ...optionsFor(code), log: (line) => logged.push(line), ...options });
  atEnd(lambda.close);
  return { ...lambda, logged };
};

export const failureOf = (message: unknown) => ({ name: 'FunctionError', message });
