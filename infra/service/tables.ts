import { RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import { type Attribute, AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { TemplateVariable } from '../../functions/shared/environment.ts';
import type { StageSettings } from '../settings/stage-settings.ts';
import type { TableName } from './operations.ts';

export type Tables = Record<TableName, TableV2>;

interface TableSpec {
  partitionKey: Attribute;
  /** The environment variable in which a function of the table finds its name. */
  variable: TemplateVariable;
  /** The attribute with the epoch second after which DynamoDB may delete an item. */
  timeToLiveAttribute?: string;
}

export const tableSpecs: Record<TableName, TableSpec> = {
  Inventory: {
    partitionKey: { name: 'petId', type: AttributeType.NUMBER },
    variable: 'INVENTORY_TABLE_NAME',
  },
  ApiKeys: {
    partitionKey: { name: 'keyHash', type: AttributeType.STRING },
    variable: 'API_KEYS_TABLE_NAME',
  },
  Receipts: {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    variable: 'RECEIPTS_TABLE_NAME',
    timeToLiveAttribute: 'expiresAt',
  },
};

/** Adds the tables of a stage. */
export const addTables = (stack: Stack, settings: StageSettings): Tables => ({
  Inventory: addTable(stack, 'Inventory', settings),
  ApiKeys: addTable(stack, 'ApiKeys', settings),
  Receipts: addTable(stack, 'Receipts', settings),
});

const addTable = (
  stack: Stack,
  name: TableName,
  { isProtected, ceiling }: StageSettings,
): TableV2 => {
  const { variable: _, ...spec } = tableSpecs[name];
  const expires = spec.timeToLiveAttribute !== undefined;
  const table = new TableV2(stack, `${name}Table`, {
    ...spec,
    billing: Billing.onDemand(
      ceiling && { maxReadRequestUnits: ceiling.read, maxWriteRequestUnits: ceiling.write },
    ),
    removalPolicy: isProtected ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    deletionProtection: isProtected,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProtected && !expires },
  });
  if (isProtected && expires) {
    const reason = 'Restored, its items would tell of updates that are not restored.';
    Validations.of(table).acknowledge({ id: 'AwsSolutions-DDB3', reason });
  }
  return table;
};
