import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { answerWithin, attemptsWithin } from '../time-limits.ts';
import { dynamodbClient } from './dynamodb-client.ts';

export const documentClient = DynamoDBDocumentClient.from(dynamodbClient(attemptsWithin(answerWithin)));
