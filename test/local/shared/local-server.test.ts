import { expect, test } from '@jest/globals';
import { managementApi } from '../../../local/gateway/management-api.ts';
import type { RestApi } from '../../../local/gateway/rest-api.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { forPrograms } from '../../../local/shared/local-server.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { sendRaw } from '../../support/http-client.ts';
import { serve } from '../../support/serve.ts';

const served = { status: 200, text: 'served' };
const rejected = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: { message: 'Only programs on this machine may use this.' },
};

test.each<[Record<string, string>, object]>([
  [{ Host: 'LOCALHOST:80' }, served],
  [{ Host: '127.0.0.1' }, served],
  [{ Host: '[::1]:3000' }, served],
  [{ Host: 'localhost.evil.example' }, rejected],
  [{ Host: '127.0.0.1.evil.example:80' }, rejected],
  [{ Host: 'evil.example:127.0.0.1' }, rejected],
  [{ Origin: 'null' }, rejected],
  [{ Origin: 'http://localhost:3000' }, rejected],
])('a server for programs on this machine responds to %j', async (headers, expected) => {
  const url = await serve(forPrograms((_message, response) => response.end('served')));
  for (const method of ['GET', 'OPTIONS', 'POST', 'DELETE']) {
    const response = await sendRaw(url, { method, path: '/', headers });
    expect(response).toMatchObject(expected);
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('the tables, the Runtime API and the management API are for programs on this machine', async () => {
  const tables = await startDynalite(undefined);
  const runtime = await startRuntimeApi();
  const management = await serve(managementApi({} as RestApi));
  for (const url of [tables.endpoint, `http://${runtime.address}`, management]) {
    expect(await sendRaw(url, { path: '/', headers: { Origin: 'https://evil.example' } })).toMatchObject(rejected);
  }
  await tables.close();
  runtime.close(new FunctionError('closed'));
});
