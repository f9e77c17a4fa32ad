import { variable } from '../shared/environment.ts';
import { changesOf, type InventoryItem, type StockChange } from './item.ts';

const TableName = variable('INVENTORY_TABLE_NAME');

export interface ItemUpdate extends Pick<InventoryItem, 'petId' | 'quantity'> {
  /** The ETag that the item must have, or `*`; undefined if the client demands nothing. */
  ifMatch?: string | undefined;
  /** The client's name for this update. */
  idempotencyKey?: string | undefined;
  /** The API key to which that name belongs. */
  keyId?: string | undefined;
}

/**
 * Returns the parameters that set the quantity of an item if it has this of a stock; undefined stands
 * for what no item has. DynamoDB shows an item that has something else.
 */
export const updateIf = (demanded: StockChange | undefined, { petId, quantity }: ItemUpdate) => {
  const change = changesOf({ quantity });
  const demands = Object.entries(demanded ?? {});
  const conditions = [
    // Otherwise, an update would create a missing item.
    'attribute_exists(petId)',
    ...(demanded === undefined ? ['attribute_not_exists(petId)'] : []),
    ...demands.map(([name]) => `#${name} = :old_${name}`),
  ];
  return {
    TableName,
    Key: { petId },
    ...change,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: {
      ...change.ExpressionAttributeNames,
      ...Object.fromEntries(demands.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...change.ExpressionAttributeValues,
      ...Object.fromEntries(demands.map(([name, value]) => [`:old_${name}`, value])),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
};
