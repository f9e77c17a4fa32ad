import type { ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { dynamodbProxy } from './dynamodb-proxy.ts';
import { type ScanInput, syntheticPage } from './synthetic-table.ts';

/** Responds to a Scan. */
export type Scan = (input: ScanInput, response: ServerResponse) => void;

export const sendScan = (response: ServerResponse, page: Buffer, status = 200): void => {
  const headers = { 'Content-Type': 'application/x-amz-json-1.0', 'x-amz-crc32': crc32(page) };
  response.writeHead(status, { ...headers, 'Content-Length': page.length }).end(page);
};

/** Scans a table of so many entries that is in no engine. */
export const scanEntries =
  (entries: number): Scan =>
  (input, response) =>
    sendScan(response, syntheticPage({ ...input, TableName: `entries-${entries}` }));

/** An error as DynamoDB sends it. */
export const failScan = (response: ServerResponse, type: string): void => {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Not a word of this to clients.' };
  sendScan(response, Buffer.from(JSON.stringify(body)), 400);
};

export type Dynamodb = Awaited<ReturnType<typeof startDynamodb>>;

/** Starts a DynamoDB that is asked for nothing but scans, and keeps what it was asked for. */
export const startDynamodb = async () => {
  const dynamodb = { scan: scanEntries(0), scans: [] as ScanInput[] };
  const proxy = await dynamodbProxy('', async ({ body, response }) => {
    dynamodb.scans.push(body);
    dynamodb.scan(body, response);
    return 'written';
  });
  return Object.assign(dynamodb, proxy);
};
