import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { localRun } from '../local-run.ts';
import { statusesOf } from './raw.ts';

const connections = 100;

test(`${connections} requests that do not end are ended`, async () => {
  const run = await localRun();
  const { port, hostname } = new URL(run.baseUrl);
  const drip = async (_: unknown, index: number) => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    let received = '';
    socket.on('data', (text) => (received += text));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET /staging/v1/inventory HTTP/1.1\r\nX: ');
    const dripping = setInterval(() => socket.write(String(index)), 1_000);
    await once(socket, 'close');
    clearInterval(dripping);
    return statusesOf(received);
  };
  const answers = await Promise.all(Array.from({ length: connections }, drip));
  expect(answers).toEqual(Array(connections).fill([408]));
  expect((await run.send({ path: '/inventory' })).status).toBe(200);
  await run.stop();
});
