/**
 * A list on the SDK's document client, in its usual form but for one thing: pages are sent as they
 * come, because a buffered result could have no more than 6 MB.
 */
import { once } from 'node:events';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { toJson } from '../../functions/shared/json.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = process.env.INVENTORY_TABLE_NAME;

export const handler = awslambda.streamifyResponse(async (_event, responseStream) => {
  const headers = { 'Content-Type': 'application/json' };
  const stream = awslambda.HttpResponseStream.from(responseStream, { statusCode: 200, headers });
  let opening = '[';
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName, ConsistentRead: true },
  )) {
    if (!stream.write(opening + toJson(Items).slice(1, -1))) {
      await once(stream, 'drain');
    }
    opening = ',';
  }
  stream.end(']');
  await once(stream, 'finish');
});
