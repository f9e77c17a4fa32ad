import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { answerWithin } from '../time-limits.ts';
import { attemptsWithin } from './attempts.ts';
import { dynamodbClient } from './dynamodb-client.ts';

export const documentClient = DynamoDBDocumentClient.from(dynamodbClient(attemptsWithin(answerWithin)));
