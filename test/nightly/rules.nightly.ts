import { expect, test } from '@jest/globals';
import type { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { everySetting } from '../support/stack/every-setting.ts';
import { stackNamed } from '../support/stack/in-process.ts';
import { staging } from '../support/stack/stages.ts';

/** Synthesizes a stage with the rules, which other tests leave out because they take the longest. */
const synthesize = (stack: Stack): void => {
  process.env.CDK_VALIDATION = 'true';
  try {
    (stack.node.root as App).synth();
  } finally {
    process.env.CDK_VALIDATION = 'false';
  }
};

test('a stage with every setting breaks no rule of the AWS Solutions pack', () => {
  expect(() => synthesize(stackNamed('prod', everySetting))).not.toThrow();
});

test('a synthesis fails at a broken rule', () => {
  const stack = stackNamed('staging', staging);
  new Queue(stack, 'WithoutTls');
  expect(() => synthesize(stack)).toThrow('AwsSolutions-SQS4');
});
