import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { setEnvironment } from '../../support/functions/functions.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { stackOf } from '../../support/stack/synthesized.ts';

afterEach(() => void jest.restoreAllMocks());
setEnvironment();
const { AWS_REGION, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_FUNCTION_VERSION } = process.env;
const ofLambda = { AWS_REGION, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_FUNCTION_VERSION };

const functions = Object.entries(stackOf('prod').byName('AWS::Lambda::Function')).map(
  ([name, { Code, Environment }]) => {
    // No function reads it: another value makes new versions of all of them.
    const { FUNCTIONS_HASH: _, ...variables } = Environment.Variables;
    return {
      name,
      bundle: join(assembly, `asset.${Code.S3Key.replace('.zip', '')}`, 'index.js'),
      variables: { ...variables, AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:1' },
    };
  },
);

/** Runs the init of a bundle as Lambda does, and returns what it exports. */
const init = (bundle: string, variables: object): object => {
  jest.replaceProperty(process, 'env', { ...ofLambda, ...variables });
  const module = { exports: {} };
  const run = new Function('require', 'module', 'exports', readFileSync(bundle, 'utf8'));
  run(createRequire(bundle), module, module.exports);
  return module.exports;
};

test.each(functions)(
  '$name starts with the bundle and the variables of its template, and not without one of them',
  ({ bundle, variables }) => {
    expect(init(bundle, variables)).toHaveProperty('handler');
    for (const variable of Object.keys(variables)) {
      expect(() => init(bundle, { ...variables, [variable]: '' })).toThrow(
        `The environment variable ${variable} is missing.`,
      );
    }
  },
);
