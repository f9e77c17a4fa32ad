import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The running service that a command works on. */
export interface Target {
  stageName: string;
  /** Says which stage and account it is. */
  description: string;
  /** Whether a mistake costs: a deployed prod. */
  isProduction: boolean;
  dynamodb: DynamoDBClient;
  inventoryTable: string;
  apiKeysTable: string;
  /** Makes the stage ask its authorizer anew about every key. */
  flushAuthorizersCache(): Promise<void>;
}

/** A table and the client that reaches it. */
export interface Table {
  client: DynamoDBClient;
  TableName: string;
}

export const inventoryOf = ({ dynamodb, inventoryTable }: Target): Table => ({
  client: dynamodb,
  TableName: inventoryTable,
});

export const apiKeysOf = ({ dynamodb, apiKeysTable }: Target): Table => ({ client: dynamodb, TableName: apiKeysTable });
