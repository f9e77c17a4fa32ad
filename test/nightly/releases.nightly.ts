import { describe, expect, test } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Template as CdkTemplate } from 'aws-cdk-lib/assertions';
import { MockIntegration, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { functionSpecs } from '../../infra/service/operations.ts';
import { everySetting } from '../support/stack/every-setting.ts';
import { stackNamed, templateIn } from '../support/stack/in-process.ts';
import { prod } from '../support/stack/stages.ts';
import type { Template } from '../support/stack/template.ts';

// What a release makes new. CloudFormation makes each logical id anew that it does not know.

type Change = (stack: Stack) => unknown;

/** Returns the template of prod, or of these settings, after a change. */
const released = (change: Change = () => {}, settings = prod): Template => {
  const stack = stackNamed('prod', settings);
  change(stack);
  return templateIn(stack);
};
const before = released();

/** The ids of the functions' versions and of the alarms that look at them. */
const ofVersions = /CurrentVersion|NewVersion/;
const ofDeployment = /^ApiDeployment[0-9A-F]{8}[0-9a-f]{32}$/;

const idsOf = ({ Resources }: Template, kind: RegExp): string[] =>
  Object.keys(Resources).filter((id) => kind.test(id));

const expectNew = (after: Template, kind: RegExp): void => {
  const ids = idsOf(after, kind);
  expect(ids).toHaveLength(idsOf(before, kind).length);
  expect(ids.filter((id) => id in before.Resources)).toStrictEqual([]);
};

const functionIn = (stack: Stack, name: string): CfnFunction =>
  stack.node.findChild(name).node.defaultChild as CfnFunction;

describe('the versions of all functions, and the alarms of them, are new after a change of', () => {
  const changeCode =
    (name: string): Change =>
    (stack) => {
      const lambda = functionIn(stack, name);
      lambda.code = { ...(lambda.code as object), s3Key: 'changed.zip' };
    };
  const changeTimeout: Change = (stack) => {
    functionIn(stack, 'ListInventory').timeout = 11;
  };
  test.each<[what: string, change: Change]>([
    ...functionSpecs.map(({ name }): [string, Change] => [`the code of ${name}`, changeCode(name)]),
    ['a time limit', changeTimeout],
  ])('%s', (_what, change) => expectNew(released(change), ofVersions));
});

// API Gateway serves what was last deployed, whatever has been changed since.
describe('the API is deployed again after a change of', () => {
  const apiIn = (stack: Stack) => stack.node.findChild('Api') as RestApi;
  const addRoute: Change = (stack) =>
    apiIn(stack).root.addResource('new').addMethod('GET', new MockIntegration());
  const addResponse: Change = (stack) =>
    apiIn(stack).addGatewayResponse('New', { type: ResponseType.BAD_REQUEST_BODY });
  test.each<[what: string, change: Change]>([
    ['its routes', addRoute],
    ['its own responses', addResponse],
  ])('%s', (_what, change) => expectNew(released(change), ofDeployment));
});

test('neither is new after a change of limits', () => {
  const throttling = { rateLimit: 2_001, burstLimit: 4_001 };
  const after = released(undefined, { ...prod, throttling });
  for (const kind of [ofVersions, ofDeployment]) {
    expect(idsOf(after, kind)).toStrictEqual(idsOf(before, kind));
  }
});

// Lambda publishes no second version of the same code and environment.
test('if a region is added, the versions are new, and so is the environment of functions', () => {
  const after = released(undefined, { ...prod, env: everySetting.env });
  expectNew(after, ofVersions);
  const hashIn = (template: Template) => JSON.stringify(template).match(/"FUNCTIONS_HASH":"\w+"/);
  expect(hashIn(after)?.[0]).not.toBe(hashIn(before)?.[0]);
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
