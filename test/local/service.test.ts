import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import dynalite from 'dynalite';
import { createApiKey } from '../../functions/keys/api-key.ts';
import { copyAssembly } from '../../infra/assembly/synthesize.ts';
import { startService } from '../../local/service.ts';
import { assembly } from '../support/assembly.ts';
import { contract, errorResponse, send } from '../support/http-client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

test('reaches an engine at an IPv6 address, with its own client and with its functions', async () => {
  const engine = dynalite({ createTableMs: 0 }).listen(0, '::1');
  closing.push(() => engine.close());
  await once(engine, 'listening');
  const service = await startService({
    stageName: 'staging',
    port: 0,
    assembly: () => copyAssembly(assembly),
    dataDirectory: undefined,
    endpoint: `http://[::1]:${(engine.address() as AddressInfo).port}`,
    jsonLogs: false,
  });
  closing.unshift(service.close);
  const { created, inventory, apiKeys } = service.tables;
  expect(created.toSorted()).toEqual([inventory, apiKeys].toSorted());

  // Only the authorizer's read tells that the key is unknown.
  const Authorization = `Bearer ${createApiKey('staging')}`;
  expect(contract(await send(service.baseUrl, { path: '/inventory', headers: { Authorization } }))).toEqual(
    errorResponse(
      401,
      'unauthorized',
      'The Authorization header holds no valid API key of this stage. Send "Authorization: Bearer <API_KEY>".',
    ),
  );
});
