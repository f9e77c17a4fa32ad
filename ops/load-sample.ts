import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, type BatchWriteItemCommandOutput, type WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Table } from './stage/stage.ts';

/** Fills an empty table with what a local run starts with (sample-inventory.csv); both ends of int64 among it. */
export const loadSample = async ({ client, TableName }: Table): Promise<void> => {
  const [, ...rows] = readFileSync(join(import.meta.dirname, 'sample-inventory.csv'), 'utf8')
    .trim()
    .split('\n');
  let requests: WriteRequest[] | undefined = rows.map((row) => {
    const [petId = '', quantity = '', status = ''] = row.split(',');
    return { PutRequest: { Item: { petId: { N: petId }, quantity: { N: quantity }, status: { S: status } } } };
  });
  while (requests?.length) {
    const { UnprocessedItems }: BatchWriteItemCommandOutput = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }),
    );
    requests = UnprocessedItems?.[TableName];
  }
};
