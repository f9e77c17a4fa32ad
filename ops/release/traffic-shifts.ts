import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { CodeDeploy, type DeploymentStatus } from '@aws-sdk/client-codedeploy';
import { physicalIds } from '../preflight/physical-ids.ts';
import { resourcesOf, type Template } from '../preflight/template.ts';
import { clientSettings } from '../stage/client-settings.ts';

/** A stack, and settings of clients that may read. */
export interface WatchedStack {
  stackName: string;
  template: Template;
  reader: typeof clientSettings & { region: string };
}

/** CodeDeploy's shift of a function's traffic to its new version. */
export interface TrafficShift {
  deploymentId: string;
  /** The deployment group: each function has one. */
  group: string;
}

const running: DeploymentStatus[] = ['Created', 'Queued', 'InProgress', 'Ready'];

/** Returns the shifts of traffic that are under way in a stack. */
export const runningShifts = async (stack: WatchedStack): Promise<TrafficShift[]> => {
  const { stackName, template, reader } = stack;
  const ids = await physicalIds(new CloudFormation(reader), stackName);
  const codeDeploy = new CodeDeploy(reader);
  const shifts: TrafficShift[] = [];
  const groups = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup');
  for (const { logicalId, properties } of groups) {
    const group = ids.get(logicalId);
    const application = ids.get((properties.ApplicationName as { Ref: string }).Ref);
    // A group that this deployment adds may not exist yet.
    if (group !== undefined && application !== undefined) {
      const { deployments = [] } = await codeDeploy.listDeployments({
        applicationName: application,
        deploymentGroupName: group,
        includeOnlyStatuses: running,
      });
      shifts.push(...deployments.map((deploymentId) => ({ deploymentId, group })));
    }
  }
  return shifts;
};

/** Stops a shift, so that all of the function's traffic goes to its old version at once. */
export const stopShift = async (
  { reader: { region } }: WatchedStack,
  { deploymentId }: TrafficShift,
): Promise<void> => {
  // The operator's own credentials, because those for reading may not stop anything.
  const codeDeploy = new CodeDeploy({ ...clientSettings, region });
  await codeDeploy.stopDeployment({ deploymentId, autoRollbackEnabled: true }).catch((error) => {
    if (error.name !== 'DeploymentAlreadyCompletedException') {
      throw error;
    }
  });
};
