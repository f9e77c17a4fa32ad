import { expect, test } from '@jest/globals';
import { managementApi } from '../../../local/gateway/management-api.ts';
import type { RestApi } from '../../../local/gateway/rest-api.ts';
import { FunctionError } from '../../../local/lambda/function-error.ts';
import { startRuntimeApi } from '../../../local/lambda/runtime-api.ts';
import { startDynalite } from '../../../local/tables/dynalite-engine.ts';
import { sendRaw } from '../../support/http/http-client.ts';
import { serve } from '../../support/http/serve.ts';
import { atEnd } from '../../support/process/at-end.ts';

const tables = await startDynalite(undefined);
atEnd(tables.close);
const runtime = await startRuntimeApi();
atEnd(() => runtime.close(new FunctionError('closed')));
const management = await serve(managementApi({} as RestApi));

test.each<[Record<string, string>, boolean]>([
  [{ Host: 'LOCALHOST:80' }, true],
  [{ Host: '127.0.0.1' }, true],
  [{ Host: '[::1]:3000' }, true],
  [{ Host: 'localhost.evil.example' }, false],
  [{ Host: '127.0.0.1.evil.example:80' }, false],
  [{ Host: 'evil.example:127.0.0.1' }, false],
  [{ Origin: 'null' }, false],
  [{ 'Sec-Fetch-Site': 'cross-site' }, false],
  [{ Origin: 'http://localhost:3000' }, false],
])(
  'the tables, the Runtime API and the management API serve a request with %j: %p',
  async (headers, isServed) => {
    const body = { message: 'Only programs on this machine may use this.' };
    const rejection = { status: 403, headers: { 'content-type': 'application/json' }, body };
    for (const url of [tables.endpoint, `http://${runtime.address}`, management]) {
      for (const method of ['GET', 'OPTIONS', 'POST', 'DELETE']) {
        const response = await sendRaw(url, { method, path: '/', headers });
        expect(response.status === 403).toBe(!isServed);
        expect(response).toMatchObject(isServed ? {} : rejection);
        expect(
          Object.keys(response.headers).filter((name) => name.startsWith('access-control-')),
        ).toEqual([]);
      }
    }
  },
);
