import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { localRun } from '../../support/local-run.ts';
import { statusesOf } from './raw.ts';

const connections = 100;

/** A request without an end to its headers, and one without an end to its body. */
const beginnings = (apiKey: string) => [
  'GET /staging/v1/inventory HTTP/1.1\r\nX: ',
  `PATCH /staging/v1/inventory/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Length: 1000\r\n\r\n`,
];

test(`${connections} requests that do not end are ended`, async () => {
  const run = await localRun();
  const { port, hostname } = new URL(run.baseUrl);
  const drip = async (_: unknown, index: number) => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    let received = '';
    socket.on('data', (text) => (received += text));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(beginnings(run.apiKey)[index % 2] ?? '');
    const dripping = setInterval(() => socket.write(String(index)), 1_000);
    await once(socket, 'close');
    clearInterval(dripping);
    return statusesOf(received);
  };
  const responses = await Promise.all(Array.from({ length: connections }, drip));
  expect(responses).toEqual(Array(connections).fill([408]));
  expect(run.log()).not.toMatch(/^\s+at /m);
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
  await run.stop();
});
