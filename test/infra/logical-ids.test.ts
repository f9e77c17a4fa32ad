import { expect, test } from '@jest/globals';
import { resourcesOf, templates } from '../support/stack/synthesized.ts';

/** What CloudFormation replaces if its logical id changes, and clients or operators would lose. */
const idsOf = (stageName: string): Record<string, string[]> => {
  const { Resources } = templates[stageName] ?? { Resources: {} };
  const types = [
    'AWS::DynamoDB::GlobalTable',
    'AWS::ApiGateway::RestApi',
    'AWS::ApiGateway::Stage',
    'AWS::SNS::Topic',
  ];
  return Object.fromEntries(
    types.map((type) => [type, Object.keys(resourcesOf({ Resources }, type))]),
  );
};

const ofEveryStage = {
  'AWS::DynamoDB::GlobalTable': ['InventoryTableFD135387', 'ApiKeysTable9F4DC7E7'],
  'AWS::ApiGateway::RestApi': ['ApiF70053CD'],
  'AWS::SNS::Topic': ['AlarmsTopic3A2DFEBA'],
};

// test/infra/settings/stage-settings.slow.ts has the id of the domain.
test.each([
  { stageName: 'staging', stage: 'ApiDeploymentStagestagingCADBBC24' },
  { stageName: 'prod', stage: 'ApiDeploymentStageprod3EB9684E' },
])('$stageName keeps its tables, API and topic', ({ stageName, stage }) => {
  expect(idsOf(stageName)).toEqual({ ...ofEveryStage, 'AWS::ApiGateway::Stage': [stage] });
});
