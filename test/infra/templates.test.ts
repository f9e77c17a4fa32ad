import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stageNames } from '../../ops/stage/stage.ts';
import { assembly } from '../support/stack/assembly.ts';
import { deployed, entryPointsIn } from '../support/stack/deployed.ts';
import { expectGolden } from '../support/stack/golden.ts';
import { isProtected, resourcesOf, templates } from '../support/stack/synthesized.ts';

const entryPoints = entryPointsIn(assembly);

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
test.each([
  { stageName: 'staging', stage: 'ApiDeploymentStagestagingCADBBC24' },
  { stageName: 'prod', stage: 'ApiDeploymentStageprod3EB9684E' },
])('$stageName keeps its tables, API and topic for ever', ({ stageName, stage }) => {
  const idsOf = (type: string) => Object.keys(resourcesOf(templates[stageName] as never, type));
  expect(idsOf('AWS::DynamoDB::GlobalTable')).toStrictEqual([
    'InventoryTableFD135387',
    'ApiKeysTable9F4DC7E7',
  ]);
  expect(idsOf('AWS::ApiGateway::RestApi')).toStrictEqual(['ApiF70053CD']);
  expect(idsOf('AWS::ApiGateway::Stage')).toStrictEqual([stage]);
  expect(idsOf('AWS::SNS::Topic')).toStrictEqual(['AlarmsTopic3A2DFEBA']);
});
