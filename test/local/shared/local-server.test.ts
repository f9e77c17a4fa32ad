import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { managementApi } from '../../../local/gateway/management-api.ts';
import type { RestApi } from '../../../local/gateway/rest-api.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { forPrograms, listen } from '../../../local/shared/local-server.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { sendRaw } from '../../../ops/acceptance/suite/raw-request.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';

describe('a server', () => {
  const start = async (port?: number) => {
    const server = createServer((_message, response) => void response.end());
    const { address, close } = await listen(server, port);
    atEnd(close);
    return { server, address, close };
  };
  const boundTo = (server: Server) => server.address() as AddressInfo;

  test('listens where no other machine can connect', async () => {
    const { server } = await start();
    expect(boundTo(server).address).toBe('127.0.0.1');
  });

  test('is told where it listens', async () => {
    const { server, address } = await start();
    expect(address).toBe(`127.0.0.1:${boundTo(server).port}`);
  });

  test('rejects a port that is in use', async () => {
    const { server } = await start();
    await expect(start(boundTo(server).port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('closes although a client stays connected', async () => {
    const { server, close } = await start();
    const client = connect(boundTo(server).port, '127.0.0.1').on('error', () => {});
    await new Promise((resolve) => server.once('connection', resolve));
    await expect(close()).resolves.toBeUndefined();
    client.destroy();
  });
});

const reached = { status: 200, text: 'reached' };
const rejected = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: { message: 'Only programs on this machine may use this.' },
};

test.each<{ headers: Record<string, string>; response: object }>([
  { headers: { Host: 'LOCALHOST:80' }, response: reached },
  { headers: { Host: '127.0.0.1' }, response: reached },
  { headers: { Host: '[::1]:3000' }, response: reached },
  { headers: { Host: 'localhost.evil.example' }, response: rejected },
  { headers: { Host: '127.0.0.1.evil.example:80' }, response: rejected },
  { headers: { Host: 'evil.example:127.0.0.1' }, response: rejected },
  { headers: { Origin: 'null' }, response: rejected },
  { headers: { Origin: 'http://localhost:3000' }, response: rejected },
  { headers: { 'Sec-Fetch-Site': 'cross-site' }, response: rejected },
])('what is for programs is served to a request with $headers: $response.status', async (row) => {
  const url = await serve(forPrograms((_message, response) => void response.end('reached')));
  expect(await sendRaw(url, { path: '/', headers: row.headers })).toMatchObject(row.response);
});

describe('no web page may use', () => {
  test.each([
    {
      what: 'the tables',
      start: async () => {
        const { endpoint, close } = await startDynalite(undefined);
        atEnd(close);
        return endpoint;
      },
    },
    {
      what: 'the Runtime API',
      start: async () => {
        const { address, close } = await startRuntimeApi();
        atEnd(() => close(new FunctionError('closed')));
        return `http://${address}`;
      },
    },
    { what: 'the management API', start: () => serve(managementApi({} as RestApi)) },
  ])('$what, with any method', async ({ start }) => {
    const url = await start();
    for (const method of ['GET', 'OPTIONS', 'POST', 'DELETE']) {
      const message = { method, path: '/', headers: { Origin: 'http://evil.example' } };
      const response = await sendRaw(url, message);
      expect(response).toMatchObject(rejected);
      const names = Object.keys(response.headers);
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
