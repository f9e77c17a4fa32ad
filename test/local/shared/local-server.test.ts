import { describe, expect, test } from '@jest/globals';
import { managementApi } from '../../../local/gateway/management-api.ts';
import type { RestApi } from '../../../local/gateway/rest-api.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { forPrograms } from '../../../local/shared/local-server.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { sendRaw } from '../../support/http-client.ts';
import { serve } from '../../support/serve.ts';

const rejected = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: { message: 'Only programs on this machine may use this.' },
};

describe('what is for programs on this machine', () => {
  const served = { status: 200, text: 'served' };
  test.each<[Record<string, string>, object]>([
    [{ Host: 'localhost' }, served],
    [{ Host: 'LOCALHOST:80' }, served],
    [{ Host: '127.0.0.1' }, served],
    [{ Host: '127.0.0.1:3000' }, served],
    [{ Host: '[::1]' }, served],
    [{ Host: '[::1]:3000' }, served],
    [{ Host: 'evil.example' }, rejected],
    [{ Host: 'localhost.evil.example' }, rejected],
    [{ Host: '127.0.0.1.evil.example:80' }, rejected],
    [{ Host: 'evil.example:127.0.0.1' }, rejected],
    [{ Origin: 'https://evil.example' }, rejected],
    [{ Origin: 'null' }, rejected],
    [{ Origin: 'http://localhost:3000' }, rejected],
  ])('responds to %j with %j', async (headers, response) => {
    const url = await serve(forPrograms((_message, response) => response.end('served')));
    expect(await sendRaw(url, { path: '/', headers })).toMatchObject(response);
  });

  test.each<[string, string, () => Promise<{ url: string; close?: () => unknown }>]>([
    [
      'the tables',
      '/',
      async () => {
        const { endpoint, close } = await startDynalite(undefined);
        return { url: endpoint, close };
      },
    ],
    [
      'the Runtime API',
      '/2018-06-01/runtime/invocation/next',
      async () => {
        const { address, close } = await startRuntimeApi();
        return { url: `http://${address}`, close: () => close(new FunctionError('closed')) };
      },
    ],
    [
      'the management API',
      '/restapis/local/stages/test/cache/authorizers',
      async () => ({ url: await serve(managementApi({} as RestApi)) }),
    ],
  ])('is %s', async (_what, path, start) => {
    const { url, close } = await start();
    for (const method of ['GET', 'OPTIONS', 'POST', 'DELETE']) {
      const response = await sendRaw(url, { method, path, headers: { Origin: 'https://evil.example' } });
      expect(response).toMatchObject(rejected);
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
    expect(await sendRaw(url, { path, headers: { Host: 'evil.example' } })).toMatchObject(rejected);
    await close?.();
  });
});
