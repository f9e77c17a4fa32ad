/** A process that answers Scan requests from synthetic tables, on a loopback port that it sends to its parent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { type ScanInput, syntheticPage } from './synthetic-table.ts';

/** What DynamoDB would take for a page: so many milliseconds for the request, and for each megabyte of items. */
const [perRequest = 0, perMegabyte = 0] = (process.env.LATENCY ?? '').split('+').map(Number);

const server = createServer(async (request, response) => {
  const page = syntheticPage((await json(request)) as ScanInput);
  if (perRequest) {
    await setTimeout(perRequest + (perMegabyte * page.length) / 2_000_000);
  }
  response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0', 'Content-Length': page.length }).end(page);
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
