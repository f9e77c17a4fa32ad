import { type CloudFormation, paginateListStackResources } from '@aws-sdk/client-cloudformation';

/** Returns the physical ids of a stack's resources, by logical id. */
export const physicalIds = async (
  client: CloudFormation,
  StackName: string | undefined,
): Promise<Map<string | undefined, string | undefined>> => {
  const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName }));
  const resources = pages.flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries);
  return new Map(resources.map((each) => [each.LogicalResourceId, each.PhysicalResourceId]));
};
