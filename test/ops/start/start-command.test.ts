import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { listen } from '../../../local/shared/local-server.ts';
import { banner } from '../../../ops/start/banner.ts';
import { petstore } from '../../support/ops/petstore.ts';
import { atEnd } from '../../support/process/at-end.ts';

test('start prints everything that clients need, to paste', () => {
  expect(banner('http://127.0.0.1:3000/staging/v1', 'petstore_staging_0')).toBe(`\
Petstore inventory is running. Press Ctrl-C to stop.

Base URL: http://127.0.0.1:3000/staging/v1
API key: petstore_staging_0
API reference: http://127.0.0.1:3000/#key=petstore_staging_0

For a second terminal:
export PETSTORE_BASE_URL=http://127.0.0.1:3000/staging/v1 PETSTORE_API_KEY=petstore_staging_0

Try it:
curl -H "Authorization: Bearer petstore_staging_0" http://127.0.0.1:3000/staging/v1/inventory

`);
});

test('start says that its port is in use before it does anything else', async () => {
  const { port, close } = await listen(createServer());
  atEnd(close);
  expect(await petstore(['start', String(port)])).toStrictEqual({
    code: 1,
    output: '',
    errors: `petstore: Port ${port} is in use. Choose another: npm start PORT\n`,
  });
});
