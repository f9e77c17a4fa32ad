import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';

/** A template of CloudFormation. */
export type Template = Record<string, unknown>;

/** Types that hold data or that clients call: their loss cannot be undone by a next deployment. */
const irreplaceable = /^AWS::(DynamoDB::(Global)?Table|ApiGateway::(RestApi|Stage|DomainName))$/;

const verbs: Partial<Record<ResourceImpact, string>> = {
  [ResourceImpact.WILL_REPLACE]: 'replaces',
  [ResourceImpact.MAY_REPLACE]: 'may replace',
  [ResourceImpact.WILL_DESTROY]: 'deletes',
  [ResourceImpact.WILL_ORPHAN]: 'leaves behind',
};

interface Change {
  logicalId: string;
  type: string;
  impact: ResourceImpact;
}

const changesOf = (before: Template, after: Template): Change[] => {
  const changes: Change[] = [];
  fullDiff(before, after).resources.forEachDifference((logicalId, change) => {
    const { changeImpact: impact, oldResourceType: type = '' } = change;
    changes.push({ logicalId, type, impact });
  });
  return changes;
};

/**
 * Says which tables, API, stage and domain a deployment would replace or delete, each as
 * `replaces InventoryTable1A2B (AWS::DynamoDB::GlobalTable)`.
 */
export const lossesOf = (before: Template, after: Template): string[] =>
  changesOf(before, after)
    .filter(({ type, impact }) => irreplaceable.test(type) && verbs[impact] !== undefined)
    .map(({ logicalId, type, impact }) => `${verbs[impact]} ${logicalId} (${type})`);

/** Returns the logical IDs of the resources that a deployment would replace, or may. */
export const replacementsOf = (before: Template, after: Template): string[] =>
  changesOf(before, after)
    .filter(({ impact }) => /_REPLACE$/.test(impact))
    .map(({ logicalId }) => logicalId);
