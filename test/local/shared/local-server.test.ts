import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { forPrograms } from '../../../local/shared/local-server.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { oneResource, returning, serveFixture } from '../../support/fixture-gateway.ts';
import { sendRaw } from '../../support/http-client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const rejected = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: { message: 'Only programs on this machine may use this.' },
};

describe('what is for programs on this machine', () => {
  test.each(['localhost', 'LOCALHOST:80', '127.0.0.1', '127.0.0.1:3000', '[::1]', '[::1]:3000'])(
    'serves a request with the Host %s',
    async (Host) => {
      const url = await serve(forPrograms((_message, response) => response.end('served')));
      expect(await sendRaw(url, { path: '/', headers: { Host } })).toMatchObject({ status: 200, text: 'served' });
    },
  );

  test.each([
    { Host: 'evil.example' },
    { Host: 'localhost.evil.example' },
    { Host: '127.0.0.1.evil.example:80' },
    { Host: 'evil.example:127.0.0.1' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://localhost:3000' },
  ])('rejects %j', async (headers) => {
    const url = await serve(forPrograms((_message, response) => response.end('served')));
    expect(await sendRaw(url, { path: '/', headers: headers as Record<string, string> })).toMatchObject(rejected);
  });

  test.each<[string, string, () => Promise<string>]>([
    [
      'the tables',
      '/',
      async () => {
        const { endpoint, close } = await startDynalite(undefined);
        closing.push(close);
        return endpoint;
      },
    ],
    [
      'the Runtime API of an instance',
      '/2018-06-01/runtime/invocation/next',
      async () => {
        const { address, close } = await startRuntimeApi();
        closing.push(() => close(new FunctionError('closed')));
        return `http://${address}`;
      },
    ],
    [
      'the management of the API',
      '/restapis/local/stages/test/cache/authorizers',
      async () => new URL(await serveFixture(returning('{ statusCode: 200 }'), oneResource)).origin,
    ],
  ])('is %s', async (_what, path, start) => {
    const url = await start();
    for (const method of ['GET', 'OPTIONS', 'POST', 'DELETE']) {
      const response = await sendRaw(url, { method, path, headers: { Origin: 'https://evil.example' } });
      expect(response).toMatchObject(rejected);
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(await sendRaw(url, { path, headers: { Host: 'evil.example' } })).toMatchObject(rejected);
  });
});
