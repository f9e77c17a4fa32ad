import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientOptions } from './client-options.ts';

/**
 * The one client of an instance, created at init so that its connection outlives a request.
 * 3 attempts of at most 2 s each, and at most 1.5 s of backoff between them, end before the
 * functions' limit of 10 s (infra/service-function.ts).
 */
export const documentClient = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientOptions, maxAttempts: 3 }));
