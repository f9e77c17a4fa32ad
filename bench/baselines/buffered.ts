/**
 * The usual handler: lib-dynamodb, every page into one array, JSON.stringify, a buffered result.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { toJson } from '../../functions/shared/json.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = process.env.INVENTORY_TABLE_NAME;

export const handler = async () => {
  const items = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName, ConsistentRead: true },
  )) {
    items.push(...Items);
  }
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: toJson(items) };
};
