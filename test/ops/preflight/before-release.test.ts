import { describe, expect, test } from '@jest/globals';
import { shiftMinutes } from '../../../ops/preflight/before-release.ts';
import { assemblyWith, changedTemplate } from '../../support/preflight.ts';
import { resourcesOf } from '../../support/synthesized.ts';

describe('the minutes in which traffic shifts', () => {
  test.each([
    [['LambdaCanary10Percent10Minutes', 'LambdaCanary10Percent15Minutes', 'LambdaAllAtOnce'], 15],
    [['LambdaAllAtOnce', 'LambdaAllAtOnce', 'LambdaAllAtOnce'], 0],
    // The first tenth at once, the last after nine intervals.
    [['LambdaLinear10PercentEvery1Minute', 'LambdaLinear10PercentEvery3Minutes', 'LambdaAllAtOnce'], 27],
  ])('are those of the slowest function: %j', (configurations, minutes) => {
    const template = changedTemplate((changed) => {
      const groups = Object.values(resourcesOf(changed, 'AWS::CodeDeploy::DeploymentGroup'));
      for (const [index, { Properties }] of groups.entries()) {
        Properties.DeploymentConfigName = `CodeDeployDefault.${configurations[index]}`;
      }
    });

    expect(shiftMinutes('prod', assemblyWith(template))).toBe(minutes);
  });
});
