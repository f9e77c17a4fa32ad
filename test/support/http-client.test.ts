import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { sendRaw } from './http-client.ts';

test.each([
  // A TLS handshake begins with 22.
  ['https', 22],
  ['http', 'G'.charCodeAt(0)],
])('speaks the protocol of an %s URL', async (protocol, firstByte) => {
  let received: number | undefined;
  const server = createServer((socket) => {
    socket.once('data', (chunk) => {
      received = chunk[0];
      socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  await expect(sendRaw(`${protocol}://127.0.0.1:${port}/v1`, { path: '/inventory' })).rejects.toThrow();
  expect(received).toBe(firstByte);
  server.close();
});
