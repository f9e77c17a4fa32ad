import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type StageName, stageNames } from '../../infra/settings/stage-names.ts';
import { assembly } from '../support/stack/assembly.ts';
import { deployed, entryPointsIn } from '../support/stack/deployed.ts';
import { expectGolden } from '../support/stack/golden.ts';
import { isProtected, resourcesOf, templates } from '../support/stack/synthesized.ts';

const entryPoints = entryPointsIn(assembly);

test('the name of a stage has only small letters, as its keys demand', () => {
  expect(stageNames.filter((name) => !/^[a-z]+$/.test(name))).toStrictEqual([]);
});

test('each stage that petstore knows, and no other, is deployed', () => {
  const { artifacts } = JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8'));
  const stages = Object.keys(artifacts).filter((name) => name.startsWith('assembly-'));
  expect(stages.sort()).toStrictEqual(stageNames.map((name) => `assembly-${name}`).sort());
});

test.each(stageNames)('test/infra/templates/%s.yaml is what is deployed', (stageName) => {
  expectGolden(`${stageName}.yaml`, {
    TerminationProtection: isProtected(stageName),
    ...deployed(templates[stageName] as never, entryPoints),
  });
});

// CloudFormation replaces a resource whose logical id changes: clients or operators would lose it.
const stageIds: Record<StageName, string> = {
  staging: 'ApiDeploymentStagestagingCADBBC24',
  prod: 'ApiDeploymentStageprod3EB9684E',
};

test.each(stageNames)('%s keeps its tables, API and topic for ever', (stageName) => {
  const idsOf = (type: string) => Object.keys(resourcesOf(templates[stageName] as never, type));
  expect(idsOf('AWS::DynamoDB::GlobalTable')).toStrictEqual([
    'InventoryTableFD135387',
    'ApiKeysTable9F4DC7E7',
  ]);
  expect(idsOf('AWS::ApiGateway::RestApi')).toStrictEqual(['ApiF70053CD']);
  expect(idsOf('AWS::ApiGateway::Stage')).toStrictEqual([stageIds[stageName]]);
  expect(idsOf('AWS::SNS::Topic')).toStrictEqual(['AlarmsTopic3A2DFEBA']);
});
