import { CreateTableCommand, DynamoDBClient, type ScalarAttributeType } from '@aws-sdk/client-dynamodb';
import { afterAll } from '@jest/globals';

/** Of the engine that all tests of the run share. */
export const engineEndpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export const engineClient = new DynamoDBClient({ endpoint: engineEndpoint, region: 'eu-west-1', credentials });

afterAll(() => engineClient.destroy());

/** Creates an empty table of its own for a test file, and returns its name. */
export const createTable = async (AttributeName: string, AttributeType: ScalarAttributeType): Promise<string> => {
  const TableName = `table-${crypto.randomUUID()}`;
  await engineClient.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName, AttributeType }],
      KeySchema: [{ AttributeName, KeyType: 'HASH' }],
    }),
  );
  return TableName;
};
