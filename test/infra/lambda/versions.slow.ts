import { expect, test } from '@jest/globals';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { stackNamed, templateIn } from '../../support/stack/in-process.ts';
import { prod } from '../../support/stack/stages.ts';
import { type Json, resourcesOf, type Template } from '../../support/stack/template.ts';

/** Returns the template of prod after a change of one of its functions. */
const templateWith = (name?: string, change?: (resource: CfnFunction) => void): Template => {
  const stack = stackNamed('prod', prod);
  if (name !== undefined) {
    change?.(stack.node.findChild(name).node.defaultChild as CfnFunction);
  }
  return templateIn(stack);
};

const isOfVersion = (id: string): boolean => id.includes('NewVersion');

const idsOf = (template: Template): string[] => [
  ...Object.keys(resourcesOf(template, 'AWS::Lambda::Version')),
  ...Object.keys(resourcesOf(template, 'AWS::CloudWatch::Alarm')).filter(isOfVersion),
];

const before = templateWith();

const withOtherCode = (resource: CfnFunction): void => {
  resource.code = { ...(resource.code as object), s3Key: 'changed.zip' };
};
const withOtherTime = (resource: CfnFunction): void => {
  resource.timeout = 11;
};

test.each([
  { what: 'the code of Authorizer', name: 'Authorizer', change: withOtherCode },
  { what: 'the code of ListInventory', name: 'ListInventory', change: withOtherCode },
  { what: 'the code of UpdateInventory', name: 'UpdateInventory', change: withOtherCode },
  { what: 'a time limit', name: 'ListInventory', change: withOtherTime },
])('a change of $what makes all versions and all their alarms new', ({ name, change }) => {
  const after = idsOf(templateWith(name, change));
  // Three versions, and of each an alarm of faults; two also have one of errors.
  expect(after).toHaveLength(3 + 5);
  expect(after.filter((id) => idsOf(before).includes(id))).toEqual([]);
});

test('the same functions have the same versions and alarms', () => {
  expect(idsOf(templateWith())).toEqual(idsOf(before));
});

test('each shift of traffic stops at each alarm of a new version, and none lasts longer', () => {
  const alarms = Object.keys(resourcesOf(before, 'AWS::CloudWatch::Alarm'))
    .filter(isOfVersion)
    .sort();
  const groups = Object.values(resourcesOf(before, 'AWS::CodeDeploy::DeploymentGroup')).map(
    ({ Properties: { AlarmConfiguration, AutoRollbackConfiguration, DeploymentConfigName } }) => ({
      alarms: AlarmConfiguration.Alarms.map(({ Name }: Json) => Name.Ref).sort(),
      rollsBack: AutoRollbackConfiguration.Events,
      shift: DeploymentConfigName,
    }),
  );
  const group = {
    alarms,
    rollsBack: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
    shift: 'CodeDeployDefault.LambdaCanary10Percent15Minutes',
  };
  expect(groups).toEqual([group, group, group]);
});

/** Returns the logical ids that a part of a template refers to. */
const referencesIn = (part: Json): string[] => {
  if (typeof part !== 'object' || part === null) {
    return [];
  }
  return Object.entries<Json>(part).flatMap(([key, value]) => {
    if (key === 'Ref') {
      return [value];
    }
    if (key === 'Fn::GetAtt') {
      return [value[0]];
    }
    return key === 'DependsOn' ? [value].flat() : referencesIn(value);
  });
};

test('no resource depends on itself, not even by way of its deployment', () => {
  const { Resources } = before;
  const finished = new Set<string>();
  const visit = (id: string, path: string[]): void => {
    if (path.includes(id)) {
      throw new Error(`A circular dependency: ${[...path, id].join(' → ')}`);
    }
    if (!finished.has(id) && Resources[id]) {
      for (const reference of referencesIn(Resources[id])) {
        visit(reference, [...path, id]);
      }
      finished.add(id);
    }
  };
  for (const id of Object.keys(Resources)) {
    visit(id, []);
  }
  expect(finished.size).toBe(Object.keys(Resources).length);
});

test('an alarm goes off at one failure of its version, and notifies nobody', () => {
  const alarms = Object.entries(resourcesOf(before, 'AWS::CloudWatch::Alarm'))
    .filter(([id]) => isOfVersion(id))
    .map(([, { Properties }]) => Properties);
  for (const alarm of alarms) {
    const dimensions = alarm.Dimensions.map(({ Name }: Json) => Name);
    expect(dimensions).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(FunctionVersion|ExecutedVersion)$/)]),
    );
    expect(alarm).toMatchObject({
      Threshold: 1,
      DatapointsToAlarm: 1,
      EvaluationPeriods: 5,
      TreatMissingData: 'notBreaching',
    });
    expect(alarm).not.toHaveProperty('AlarmActions');
  }
});

// A rollback deletes the version that failed; otherwise the same code could not be deployed again.
test('old versions are kept', () => {
  for (const version of Object.values(resourcesOf(before, 'AWS::Lambda::Version'))) {
    expect(version).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  }
});
