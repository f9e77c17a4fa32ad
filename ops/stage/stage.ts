import type { APIGateway } from '@aws-sdk/client-api-gateway';
import type { DynamoDB } from '@aws-sdk/client-dynamodb';

export const stageNames = ['staging', 'prod'] as const;

export type StageName = (typeof stageNames)[number];

export interface Table {
  client: DynamoDB;
  TableName: string;
}

export interface Stage {
  stageName: string;
  /** What a question calls it: `staging`, `prod` or `the local run`. */
  title: string;
  /** Says which it is and where. */
  description: string;
  /**
   * The options that name the stage on a command line: `--stage prod`, `--local` or `--local --port
   * 3000`.
   */
  options: string;
  /** Whether this is a deployed prod, where a mistake is costly. */
  isProduction: boolean;
  inventory: Table;
  apiKeys: Table;
  restApi: { client: APIGateway; restApiId: string };
  /** Whether its functions know read-only keys, and let them read alone. */
  enforcesReadOnlyKeys: boolean;
}
