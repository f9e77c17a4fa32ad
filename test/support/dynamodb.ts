import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import dynalite from 'dynalite';
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
  const tables = dynalite({ createTableMs: 0 });
  const dynamodb: Dynamodb = {
    endpoint: '',
    scan: scanEntries(0),
    scans: [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer(async (request: IncomingMessage, response) => {
    if (!String(request.headers['x-amz-target']).endsWith('.Scan')) {
      tables.emit('request', request, response);
      return;
    }
    const input = (await json(request)) as ScanInput;
    dynamodb.scans.push(input);
    dynamodb.scan(input, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  dynamodb.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return dynamodb;
};
