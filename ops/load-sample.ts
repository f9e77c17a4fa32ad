import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Table } from './stage/stage.ts';

/** Fills a table with what a local run starts with; both ends of int64 among it. */
export const loadSample = async ({ client, TableName }: Table): Promise<void> => {
  const sample = readFileSync(join(import.meta.dirname, 'sample-inventory.csv'), 'utf8');
  const [, ...rows] = sample.trim().split('\n');
  const requests = rows.map((row) => {
    const [petId = '', quantity = '', status = ''] = row.split(',');
    return { PutRequest: { Item: { petId: { N: petId }, quantity: { N: quantity }, status: { S: status } } } };
  });
  await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
};

export const isEmpty = async ({ client, TableName }: Table): Promise<boolean> =>
  (await client.send(new ScanCommand({ TableName, Limit: 1, ConsistentRead: true }))).Count === 0;
