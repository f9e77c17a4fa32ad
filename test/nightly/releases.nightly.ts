import { describe, expect, test } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Template as CdkTemplate } from 'aws-cdk-lib/assertions';
import { MockIntegration, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { functionSpecs } from '../../infra/service/operations.ts';
import { env } from '../support/stack/every-setting.ts';
import { stackNamed, templateIn } from '../support/stack/in-process.ts';
import { prod } from '../support/stack/stages.ts';
import { resourcesOf, type Template } from '../support/stack/template.ts';

// What a release makes new. CloudFormation makes each logical id anew that it does not know.

/** Returns the template of prod, or of these settings, after a change. */
const released = (change: (stack: Stack) => unknown = () => {}, settings = prod): Template => {
  const stack = stackNamed('prod', settings);
  change(stack);
  return templateIn(stack);
};
const before = released();

/** Returns the logical ids of the functions' versions and of the alarms that look at them. */
const versionsIn = ({ Resources }: Template): string[] =>
  Object.keys(Resources).filter((id) => /CurrentVersion|NewVersion/.test(id));

/** Returns the logical id of the API's deployment. */
const deploymentIn = ({ Resources }: Template): string[] =>
  Object.keys(Resources).filter((id) => /^ApiDeployment[0-9A-F]{8}[0-9a-f]{32}$/.test(id));

const functionIn = (stack: Stack, name: string): CfnFunction =>
  stack.node.findChild(name).node.defaultChild as CfnFunction;
const changeCode = (stack: Stack, name: string): void => {
  const lambda = functionIn(stack, name);
  lambda.code = { ...(lambda.code as object), s3Key: 'changed.zip' };
};

describe('the versions of all functions, and the alarms of them, are new after a change of', () => {
  test.each<{ what: string; change: (stack: Stack) => void }>([
    ...functionSpecs.map(({ name }) => ({
      what: `the code of ${name}`,
      change: (stack: Stack) => changeCode(stack, name),
    })),
    {
      what: 'a time limit',
      change: (stack) => {
        functionIn(stack, 'ListInventory').timeout = 11;
      },
    },
  ])('$what', ({ change }) => {
    const after = versionsIn(released(change));
    expect(after).toHaveLength(versionsIn(before).length);
    expect(after.filter((id) => versionsIn(before).includes(id))).toStrictEqual([]);
  });
});

// API Gateway serves what was last deployed, whatever has been changed since.
describe('the API is deployed again after a change of', () => {
  const apiIn = (stack: Stack) => stack.node.findChild('Api') as RestApi;
  test.each<{ what: string; change: (stack: Stack) => unknown }>([
    {
      what: 'its routes',
      change: (stack) =>
        apiIn(stack).root.addResource('new').addMethod('GET', new MockIntegration()),
    },
    {
      what: 'its own responses',
      change: (stack) =>
        apiIn(stack).addGatewayResponse('New', { type: ResponseType.BAD_REQUEST_BODY }),
    },
  ])('$what', ({ change }) => {
    const after = deploymentIn(released(change));
    expect(after).toHaveLength(1);
    expect(after).not.toStrictEqual(deploymentIn(before));
  });
});

test('neither is new after a change of limits', () => {
  const after = released(undefined, {
    ...prod,
    throttling: { rateLimit: 2_001, burstLimit: 4_001 },
  });
  expect(versionsIn(after)).toStrictEqual(versionsIn(before));
  expect(deploymentIn(after)).toStrictEqual(deploymentIn(before));
});

// Lambda publishes no second version of the same code and environment.
test('if a region is added, the versions are new, and so is the environment of functions', () => {
  const after = released(undefined, { ...prod, env });
  const environmentsIn = (template: Template) =>
    Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(
      ({ Properties }) => Properties.Environment.Variables.FUNCTIONS_HASH,
    );
  expect(versionsIn(after).filter((id) => versionsIn(before).includes(id))).toStrictEqual([]);
  expect(new Set(environmentsIn(after))).not.toStrictEqual(new Set(environmentsIn(before)));
});

test('no resource depends on itself, not even by way of its deployment', () => {
  // CDK looks for circles in Properties. An alias refers to its deployment in its UpdatePolicy.
  const resources = Object.entries(before.Resources).map(([id, resource]) => {
    const { Properties, UpdatePolicy } = resource;
    return [id, { ...resource, Properties: { ...Properties, UpdatePolicy } }];
  });
  const Resources = Object.fromEntries(resources);
  expect(() => CdkTemplate.fromJSON({ Resources })).not.toThrow();
});
