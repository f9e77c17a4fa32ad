import { CloudFormation, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CodeDeploy, type DeploymentStatus } from '@aws-sdk/client-codedeploy';
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
  const { template, reader } = stack;
  const physicalIds = await physicalIdsOf(stack);
  const codeDeploy = new CodeDeploy(reader);
  const shifts: TrafficShift[] = [];
  for (const { logicalId, properties } of resourcesOf(
    template,
    'AWS::CodeDeploy::DeploymentGroup',
  )) {
    const group = physicalIds.get(logicalId);
    const application = physicalIds.get((properties.ApplicationName as { Ref: string }).Ref);
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

const physicalIdsOf = async ({
  stackName,
  reader,
}: WatchedStack): Promise<Map<string | undefined, string | undefined>> => {
  const client = new CloudFormation(reader);
  const pages = await Array.fromAsync(
    paginateListStackResources({ client }, { StackName: stackName }),
  );
  const resources = pages.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
  return new Map(
    resources.map(({ LogicalResourceId, PhysicalResourceId }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  );
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
