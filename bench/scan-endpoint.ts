/**
 * Answers each Scan of a synthetic table at once, so that only what the handlers do takes time.
 * Sends its URL to its parent process.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { listen } from '../local/shared/local-server.ts';
import { type ScanInput, syntheticPage } from './synthetic-table.ts';

const server = createServer(async (request, response) => {
  const page = syntheticPage((await json(request)) as ScanInput);
  response.setHeader('Content-Type', 'application/x-amz-json-1.0');
  response.setHeader('x-amz-crc32', crc32(page));
  response.writeHead(200, { 'Content-Length': page.length }).end(page);
});
server.keepAliveTimeout = 0;
process.on('disconnect', () => process.exit());
const { address } = await listen(server);
process.send?.(`http://${address}`);
