import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { sendRaw } from './http-client.ts';

test.each([
  // A TLS handshake begins with 22.
  ['https', 22],
  ['http', 'G'.charCodeAt(0)],
])('speaks the protocol of an %s URL', async (protocol, firstByte) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = sendRaw(`${protocol}://127.0.0.1:${port}/v1`, { path: '/inventory' });
  const rejected = expect(sent).rejects.toThrow();
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = await once(socket, 'data');
  expect(bytes[0]).toBe(firstByte);
  socket.destroy();
  await rejected;
  server.close();
});
