import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { client } from './dynamodb-client.ts';

/** Reads numbers as NumberValue: a stored one may be none that JavaScript has. */
export const documentClient = DynamoDBDocumentClient.from(client, { unmarshallOptions: { wrapNumbers: true } });
