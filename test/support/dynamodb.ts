import type { ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { dynamodbProxy, pass } from './dynamodb-proxy.ts';
import { startEngine } from './engine.ts';
import { type ScanInput, syntheticPage } from './synthetic-table.ts';

/** Responds to a Scan in place of the engine. */
export type Scan = (input: ScanInput, response: ServerResponse) => void;

/** A DynamoDB whose tables are real, but for their scans. */
export interface Dynamodb {
  endpoint: string;
  scan: Scan;
  /** Every Scan so far. */
  scans: ScanInput[];
  close(): void;
}

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

export const startDynamodb = async (): Promise<Dynamodb> => {
  const engine = await startEngine();
  const proxy = await dynamodbProxy(engine.endpoint, async (passing) => {
    if (passing.operation !== 'Scan') {
      return pass(passing);
    }
    dynamodb.scans.push(passing.body);
    dynamodb.scan(passing.body, passing.response);
    return 'written';
  });
  const close = () => {
    proxy.close();
    engine.stop();
  };
  const dynamodb: Dynamodb = { endpoint: proxy.endpoint, scan: scanEntries(0), scans: [], close };
  return dynamodb;
};
