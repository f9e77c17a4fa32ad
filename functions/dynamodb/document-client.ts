import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dynamodbClient } from './dynamodb-client.ts';

/** 3 attempts, and at most 1.5 s of backoff between them, end before the functions' limit (infra/time-limits.ts). */
export const documentClient = DynamoDBDocumentClient.from(dynamodbClient(3));
