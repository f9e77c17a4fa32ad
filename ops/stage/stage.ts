import type { DynamoDB } from '@aws-sdk/client-dynamodb';

export interface Table {
  client: DynamoDB;
  TableName: string;
}

/** A stage on which a command works. */
export interface Stage {
  stageName: string;
  /** Says which it is and where. */
  description: string;
  /** Whether this is a deployed prod, where a mistake is costly. */
  isProduction: boolean;
  inventory: Table;
  apiKeys: Table;
}
