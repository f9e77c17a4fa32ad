import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { client } from './dynamodb-client.ts';

/**
 * Reads numbers as NumberValue, because a table may hold numbers that a JavaScript number would
 * round.
 */
export const documentClient = DynamoDBDocumentClient.from(client, {
  unmarshallOptions: { wrapNumbers: true },
});
