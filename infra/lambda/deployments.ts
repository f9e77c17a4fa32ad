import { type Stack, Validations } from 'aws-cdk-lib';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LiveAlias } from './live-alias.ts';

interface DeploymentsProps {
  aliases: LiveAlias[];
  deploymentConfig: ILambdaDeploymentConfig;
}

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
  const role = addRole(stack);
  const alarms = aliases.flatMap(({ newVersionAlarms }) => newVersionAlarms);
  for (const alias of aliases) {
    new LambdaDeploymentGroup(alias, 'Deployment', {
      application,
      role,
      alias,
      alarms,
      deploymentConfig,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
  }
};

/** Adds the role of every deployment group. Each would make one of its own, with the same policy. */
const addRole = (stack: Stack): Role => {
  const role = new Role(stack, 'DeploymentsRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
  });
  // The groups attach it.
  const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
    reason: 'AWS limits this policy to what CodeDeploy needs to shift the traffic of a function.',
  });
  return role;
};
