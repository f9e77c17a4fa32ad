import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export const stageNames = ['staging', 'prod'] as const;

export interface Table {
  client: DynamoDBClient;
  TableName: string;
}

export interface Stage {
  stageName: string;
  description: string;
  /** What names it on a command line: `--stage prod`, `--local`, `--local --port 3000`. */
  options: string;
  /** Whether a mistake costs: a deployed prod. */
  isProduction: boolean;
  inventory: Table;
  apiKeys: Table;
  /** Makes the stage ask its authorizer anew about every key. */
  flushAuthorizersCache(): Promise<void>;
}
