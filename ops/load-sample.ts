import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Table } from './stage/stage.ts';

/** Fills an empty table with what a local run starts with; both ends of int64 among it. */
export const loadSample = async ({ client, TableName }: Table): Promise<void> => {
  const sample = readFileSync(join(import.meta.dirname, 'sample-inventory.csv'), 'utf8');
  const [, ...rows] = sample.trim().split('\n');
  for (const row of rows) {
    const [petId = '', quantity = '', status = ''] = row.split(',');
    const Item = { petId: { N: petId }, quantity: { N: quantity }, status: { S: status } };
    await client.send(new PutItemCommand({ TableName, Item }));
  }
};
