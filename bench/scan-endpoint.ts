/**
 * Answers Scan requests from synthetic tables, on loopback. Sends its URL to its parent process.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { listen } from '../local/shared/local-server.ts';
import { type ScanInput, syntheticPage } from './synthetic-table.ts';

/**
 * Delay that imitates the time DynamoDB takes for a page. The default of 0 shows what the handlers
 * cost.
 */
const millisecondsPerMegabyte = Number(process.env.MS_PER_MB ?? 0);

const server = createServer(async (request, response) => {
  const page = syntheticPage((await json(request)) as ScanInput);
  if (millisecondsPerMegabyte) {
    await setTimeout((millisecondsPerMegabyte * page.length) / 1_000_000);
  }
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  response.setHeader('x-amz-crc32', crc32(page));
  response.writeHead(200, { 'Content-Length': page.length }).end(page);
});
server.keepAliveTimeout = 0;
process.on('disconnect', () => process.exit());
const { address } = await listen(server);
process.send?.(`http://${address}`);
