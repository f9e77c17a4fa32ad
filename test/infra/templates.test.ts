import { expect, test } from '@jest/globals';
import { type StageName, stageNames } from '../../infra/settings/stage-names.ts';
import { assembly } from '../support/stack/assembly.ts';
import { deployed, entryPointsIn } from '../support/stack/deployed.ts';
import { differences } from '../support/stack/differences.ts';
import { expectGolden } from '../support/stack/golden.ts';
import { isProtected, type Json, templateOf } from '../support/stack/synthesized.ts';

const entryPoints = entryPointsIn(assembly);

test('the name of a stage has only small letters, as its keys demand', () => {
  expect(stageNames.filter((name) => !/^[a-z]+$/.test(name))).toStrictEqual([]);
});

const deployedTo = (stageName: StageName): Json => ({
  TerminationProtection: isProtected(stageName),
  ...deployed(templateOf(stageName), entryPoints),
});

/** Returns what is deployed without the names of a stage, and the hashes of ids that contain it. */
const withoutNames = (stageName: StageName): Json =>
  JSON.parse(
    JSON.stringify(deployedTo(stageName)).replaceAll(
      new RegExp(`\\w*${stageName}\\w*`, 'g'),
      (name) => name.replaceAll(stageName, 'stage').replaceAll(/[0-9A-F]{8}/g, ''),
    ),
  );

test('test/infra/templates/prod.yaml is what is deployed to prod', () => {
  expectGolden('prod.yaml', deployedTo('prod'));
});

test('test/infra/templates/staging.yaml is what staging has of other value than prod', () => {
  expectGolden('staging.yaml', differences(withoutNames('prod'), withoutNames('staging')));
});

// CloudFormation replaces a resource whose logical id changes: clients or operators would lose it.
test('prod keeps its tables, API and topic for ever', () => {
  expect(Object.keys(templateOf('prod').Resources)).toStrictEqual(
    expect.arrayContaining([
      'InventoryTableFD135387',
      'ApiKeysTable9F4DC7E7',
      'ReceiptsTable036B344A',
      'ApiF70053CD',
      'ApiDeploymentStageprod3EB9684E',
      'AlarmsTopic3A2DFEBA',
    ]),
  );
});
