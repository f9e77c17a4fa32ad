import { createHash } from 'node:crypto';
import { Lazy, Stack } from 'aws-cdk-lib';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';

/**
 * Gives functions an environment variable with a hash of the code and time limit of all, so that a
 * change of one makes new versions of all of them, with new alarms. If one function changed alone,
 * the others' old alarms would stop its deployment: CodeDeploy starts none while one of a group's
 * alarms is in ALARM.
 */
export const changeTogether = (functions: LambdaFunction[]): void => {
  const resources = functions.map(({ node }) => node.defaultChild as CfnFunction);
  const produce = (): string => {
    const hash = createHash('sha256');
    for (const resource of resources) {
      const { code, timeout } = resource;
      // With the bucket's name, which an `env` of the stage changes, and with it the versions' ids:
      // Lambda publishes no second version of the same code and environment.
      hash.update(JSON.stringify([Stack.of(resource).resolve(code), timeout]));
    }
    return hash.digest('hex').slice(0, 16);
  };
  const hashOfAll = Lazy.string({ produce });
  for (const lambda of functions) {
    lambda.addEnvironment('FUNCTIONS_HASH', hashOfAll);
  }
};
