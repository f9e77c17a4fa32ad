import { expect, test } from '@jest/globals';
import { Template as CdkTemplate } from 'aws-cdk-lib/assertions';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { stackNamed, templateIn, templateOf } from '../../support/stack/in-process.ts';
import { prod } from '../../support/stack/stages.ts';
import { resourcesOf, type Template } from '../../support/stack/template.ts';

type Change = (resource: CfnFunction) => void;

const released = templateOf('prod', prod);

/** Returns the template of prod after a change of one of its functions. */
const templateAfter = (change: Change, functionName: string): Template => {
  const stack = stackNamed('prod', prod);
  change(stack.node.findChild(functionName).node.defaultChild as CfnFunction);
  return templateIn(stack);
};

const versionsOf = (template: Template) => resourcesOf(template, 'AWS::Lambda::Version');

/** Returns the alarms that look at one version only. */
const versionAlarmsOf = (template: Template): Template['Resources'] => {
  const alarms = Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
  return Object.fromEntries(alarms.filter(([id]) => id.includes('NewVersion')));
};

/** Returns the logical ids of versions and their alarms. CloudFormation makes each new id anew. */
const idsOf = (template: Template): string[] => [
  ...Object.keys(versionsOf(template)),
  ...Object.keys(versionAlarmsOf(template)),
];

const newCode: Change = (resource) => {
  resource.code = { ...(resource.code as object), s3Key: 'changed.zip' };
};
const newTimeLimit: Change = (resource) => {
  resource.timeout = 11;
};

test.each([
  { what: 'the code of Authorizer', change: newCode, functionName: 'Authorizer' },
  { what: 'the code of ListInventory', change: newCode, functionName: 'ListInventory' },
  { what: 'the code of UpdateInventory', change: newCode, functionName: 'UpdateInventory' },
  { what: 'a time limit', change: newTimeLimit, functionName: 'ListInventory' },
])('a change of $what makes all versions and all their alarms new', ({ change, functionName }) => {
  const after = idsOf(templateAfter(change, functionName));
  // Three versions, and of each an alarm of faults; two also have one of errors.
  expect(after).toHaveLength(3 + 5);
  const before = idsOf(released);
  expect(after.filter((id) => before.includes(id))).toStrictEqual([]);
});

test('without a change of a function, its version and alarms stay', () => {
  expect(idsOf(templateOf('prod', prod))).toStrictEqual(idsOf(released));
});

test('no resource depends on itself, not even by way of its deployment', () => {
  // CDK looks for circles in Properties. An alias refers to its deployment in its UpdatePolicy.
  const resources = Object.entries(released.Resources).map(([id, resource]) => {
    const { Properties, UpdatePolicy } = resource;
    return [id, { ...resource, Properties: { ...Properties, UpdatePolicy } }];
  });
  const Resources = Object.fromEntries(resources);
  expect(() => CdkTemplate.fromJSON({ Resources })).not.toThrow();
});
