import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Entry } from './inventory/check-entry.ts';
import { writeEntry } from './inventory/entries-table.ts';
import { openSource } from './inventory/read-entries.ts';
import type { Table } from './stage/stage.ts';

/** Imports what a local run starts with; both ends of int64 among it. */
export const loadSample = async (table: Table): Promise<void> => {
  const sample = await openSource(createReadStream(join(import.meta.dirname, 'sample-inventory.csv')));
  const entries: Entry[] = [];
  await sample.read((_line, entry) => entries.push(entry as Entry));
  await Promise.all(entries.map((entry) => writeEntry(table, entry)));
};

export const isEmpty = async ({ client, TableName }: Table): Promise<boolean> =>
  (await client.send(new ScanCommand({ TableName, Limit: 1, ConsistentRead: true }))).Count === 0;
