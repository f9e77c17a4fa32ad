import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { firstByteTimeout, maxAttempts } from '../shared/time-limits.ts';
import { dynamodbClient } from './dynamodb-client.ts';

export const documentClient = DynamoDBDocumentClient.from(dynamodbClient(maxAttempts(firstByteTimeout)));
