import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { InstanceOptions } from '../../../local/lambda/instance.ts';

const directory = mkdtempSync(join(tmpdir(), 'petstore-function-'));
afterAll(() => rmSync(directory, { recursive: true }));

let functions = 0;

/** What starts an instance of a function with the given code, and the lines that it logs. */
export const fixtureFunction = (
  code: string,
  options: Partial<InstanceOptions> = {},
): InstanceOptions & { logged: string[] } => {
  const name = `function${functions++}`;
  writeFileSync(join(directory, `${name}.js`), code);
  const logged: string[] = [];
  return {
    functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    environment: { _HANDLER: `${name}.handler`, LAMBDA_TASK_ROOT: directory, AWS_LAMBDA_LOG_FORMAT: 'JSON' },
    timeoutSeconds: 3,
    log: (...line) => logged.push(...line),
    logged,
    ...options,
  };
};
