import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { stockOfEtag } from './etag.ts';

/** Returns the parts of an UpdateCommand that make it apply only to an item with this ETag. */
export const ifStockIs = (etag: string): Partial<UpdateCommandInput> => {
  const stock = stockOfEtag(etag);
  if (stock === undefined) {
    return {
      // Never true, because no item can have this ETag.
      ConditionExpression: 'attribute_exists(petId) AND attribute_not_exists(petId)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };
  }
  return {
    ConditionExpression: 'quantity = :currentQuantity AND #status = :currentStatus',
    // DynamoDB reserves the word `status`.
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':currentQuantity': stock.quantity,
      ':currentStatus': stock.status,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  };
};
