import { type Deployment, isRolledBack } from './deployment.ts';

/**
 * Returns the command that takes off the protection of a stack whose first deployment was rolled
 * back: undefined if nothing keeps the CDK from making that stack anew.
 */
export const unprotectCommand = async (deployment: Deployment): Promise<string | undefined> => {
  const { client, stack, described } = deployment;
  const { StackStatus, EnableTerminationProtection } = (await described) ?? {};
  const isInTheWay = isRolledBack(StackStatus) && EnableTerminationProtection === true;
  return isInTheWay
    ? 'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
        `--region ${client.region} --stack-name ${stack.stackName}`
    : undefined;
};

/**
 * Returns the command of a first deployment. Without a rollback, one that fails can be continued. A
 * rollback would leave its tables behind.
 */
export const firstDeployment = ({ cdk }: Deployment): string => cdk('deploy --no-rollback');

/** Returns the commands of a first deployment, in order. */
export const firstDeploymentCommands = async (deployment: Deployment): Promise<string[]> => {
  const unprotect = await unprotectCommand(deployment);
  const deploy = firstDeployment(deployment);
  return unprotect === undefined ? [deploy] : [unprotect, deploy];
};
