import { type Stack, Validations } from 'aws-cdk-lib';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import type { LiveAlias } from './live-alias.ts';

interface DeploymentsProps {
  aliases: LiveAlias[];
  deploymentConfig: ILambdaDeploymentConfig;
}

const managedPolicy = 'service-role/AWSCodeDeployRoleForLambdaLimited';

/**
 * Makes CodeDeploy shift the traffic of each alias to its new version, and back if any of the new
 * versions fails. If only one of the shifts stopped, CloudFormation's rollback would collide with
 * the others, which still run.
 */
export const addDeployments = (
  stack: Stack,
  { aliases, deploymentConfig }: DeploymentsProps,
): void => {
  const application = new LambdaApplication(stack, 'Deployments');
  const alarms = aliases.flatMap(({ newVersionAlarms }) => newVersionAlarms);
  for (const alias of aliases) {
    const group = new LambdaDeploymentGroup(alias, 'Deployment', {
      application,
      alias,
      alarms,
      deploymentConfig,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    Validations.of(group).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${managedPolicy}]`,
      reason: 'AWS limits this policy to what CodeDeploy needs to shift the traffic of a function.',
    });
  }
};
